import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { LOCAL_WORKBOOK_LIMITS } from '#fill/node/xlsx/workbook-limits.ts';
import { FairTurnstile } from '#lib/fair-turnstile.ts';
import { StagingArea } from '#storage/blobs/staging-area.ts';
import { workbook } from '../../../test/support/workbook.ts';
import type { SubscribersParts } from '../parts.ts';
import { receiveFile } from './receive-file.ts';

const LIST = `/proc/${process.pid}/task/${process.pid}/children`;
const children = () => readFileSync(LIST, 'utf8').trim().split(' ').filter(Boolean);

test.runIf(existsSync(LIST))(
  '[LIM20][LIM48] concurrent workbooks of one account: two are read, the others wait',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rp-receive-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const staging = await StagingArea.open(folder);
    const blobs = {
      receive: (bytes: AsyncIterable<Uint8Array>) => staging.receive(bytes, async () => {}),
      put: async (_accountId: string, content: AsyncIterable<Uint8Array>) => {
        let size = 0;
        for await (const part of content) size += part.length;
        return { digest: 'd', size };
      },
    } as unknown as SubscribersParts['blobs'];
    const file = workbook([
      ['email', 'name'],
      ['ada@example.org', 'Ada'],
    ]);
    async function* bytes() {
      yield file;
    }
    const before = children().length;
    let most = 0;
    const watch = setInterval(() => {
      most = Math.max(most, children().length - before);
    }, 1);
    onTestFinished(() => clearInterval(watch));
    const limits = { maxBytes: 1_000_000, maxRows: 100 };
    const line = new FairTurnstile({ size: 3, maxWaitMs: 60_000, maxWaiting: 10 });
    const deps = { blobs, line, workbooks: LOCAL_WORKBOOK_LIMITS };
    const turn = { owner: 'account', signal: new AbortController().signal };
    const received = await Promise.all(
      Array.from({ length: 6 }, () => receiveFile(deps, turn, bytes(), limits)),
    );
    expect(received.map(({ source }) => source.rows)).toEqual([1, 1, 1, 1, 1, 1]);
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(2);
    expect(readdirSync(folder)).toEqual([]);
  },
);
