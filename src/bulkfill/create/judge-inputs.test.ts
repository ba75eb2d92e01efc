import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { BaseCache } from '#fill/node/base-cache.ts';
import type { CappedChild } from '#fill/node/capped-child.ts';
import { nativeCodec } from '#fill/node/native-codec.ts';
import { layoutSchema } from '#fill/package/layout-schema.ts';
import { sealPackage } from '#fill/package/seal-package.ts';
import { publicKeyOf } from '#fill/package/signed-statement.ts';
import { ByteBudget } from '#lib/byte-budget.ts';
import { FairTurnstile } from '#lib/fair-turnstile.ts';
import type { Templates } from '../templates.ts';
import { InputJudge } from './judge-inputs.ts';

const secretKey = new Uint8Array(32).fill(7);

/** A judge with scripted readers, and a form for it to judge. */
function scene(reason: 'time' | 'crash' | 'memory') {
  const directory = mkdtempSync(join(tmpdir(), 'rp-judge-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const sealed = sealPackage({
    layout: layoutSchema.parse({ format: 'rowpress.layout', version: 1, overlays: [] }),
    source: { sha256: 'ab'.repeat(32), page_count: 1, pages: [], form_fields: [], signed: false, xfa: false },
    assets: new Map(),
    secretKey,
    codec: nativeCodec,
  });
  if (!sealed.ok) throw new Error(sealed.message);
  const file = (name: string, bytes: Uint8Array) => {
    const path = join(directory, name);
    writeFileSync(path, bytes);
    const read = async () => readFileSync(path);
    return { sha256: name, sizeBytes: bytes.length, fileName: undefined, read, keep: async () => name };
  };
  const options = { include_stickers: false, flatten_forms: false };
  const form = {
    pdf: file('pdf', new Uint8Array(10)),
    package: file('package', sealed.bytes),
    options,
  };
  let readers = 0;
  const costly: string[] = [];
  const take = () => {
    readers += 1;
    return { ask: async () => ({ ok: false, reason, detail: '' }) } as unknown as CappedChild;
  };
  const judge = new InputJudge({
    bases: { find: async () => undefined, record: async () => {} },
    templates: {} as Templates,
    cache: new BaseCache(join(directory, 'prepared')),
    readers: { take },
    trustedKeys: [publicKeyOf(secretKey)],
    maxPages: 10,
    keepActions: false,
    maxPackageBytes: 1_000_000,
    budget: new ByteBudget(1e9),
    line: new FairTurnstile({ size: 1, maxWaitMs: 60_000, maxWaiting: 1 }),
    noteCostly: async (accountId) => void costly.push(accountId),
  });
  const turn = { owner: 'account', signal: new AbortController().signal };
  const refusal = () => judge.judge(turn, form).catch((error: unknown) => error);
  return { refusal, readers: () => readers, costly };
}

test('[FILL45] a PDF that exceeds the limits of its reader: is read once, even if it is sent again', async () => {
  const { refusal, readers } = scene('memory');
  expect(await refusal()).toMatchObject({ code: 'PDF_INVALID' });
  expect(await refusal()).toMatchObject({ code: 'PDF_INVALID' });
  expect(readers()).toBe(1);
});

test('[LIM25] a PDF whose reader is stopped at a limit: counts once per reader, and a crash does not count', async () => {
  const [time, memory, crash] = [scene('time'), scene('memory'), scene('crash')];
  for (const { refusal } of [time, time, memory, memory, crash]) await refusal();
  expect([time, memory, crash].map(({ costly }) => costly.length)).toEqual([2, 1, 0]);
});

for (const reason of ['time', 'crash'] as const)
  test(`[FILL45] a PDF whose reader ended with ${reason}, as on a busy machine: is read again when it is sent again`, async () => {
    const { refusal, readers } = scene(reason);
    expect(await refusal()).toMatchObject({ code: 'PDF_INVALID' });
    expect(await refusal()).toMatchObject({ code: 'PDF_INVALID' });
    expect(readers()).toBe(2);
  });
