import { existsSync, readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { workbook } from '../../../test/support/workbook.ts';
import type { Blobs } from '../../engine/blobs.ts';
import { receiveFile } from './receive-file.ts';

const LIST = `/proc/${process.pid}/task/${process.pid}/children`;
const children = () => readFileSync(LIST, 'utf8').trim().split(' ').filter(Boolean);

test.runIf(existsSync(LIST))(
  '[SUB41] of workbooks that come at once two are read, the others wait',
  async () => {
    const blobs = {
      put: async (content: AsyncIterable<Uint8Array>) => {
        let size = 0;
        for await (const part of content) size += part.length;
        return { digest: 'd', size };
      },
    } as unknown as Blobs;
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
    const received = await Promise.all(
      Array.from({ length: 6 }, () => receiveFile({ blobs }, bytes(), limits)),
    );
    expect(received.map(({ source }) => source.rows)).toEqual([1, 1, 1, 1, 1, 1]);
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(2);
  },
);
