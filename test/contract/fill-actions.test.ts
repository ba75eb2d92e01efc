import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FilledArchive, fill, layoutOf } from '../support/fill-cli.ts';
import { HARMLESS_MARKS, hostilePdf, KEPT_ACTIONS, marksIn } from '../support/hostile-source.ts';
import { type CliSandbox, cliSandbox } from '../support/run-cli.ts';

let sandbox: CliSandbox;
beforeAll(async () => {
  sandbox = await cliSandbox();
});
afterAll(() => sandbox.remove());

const harmless = [...HARMLESS_MARKS.links, ...HARMLESS_MARKS.document].sort();
/** All runs share a cache of prepared sources. */
const run = (args: string[], env = {}) =>
  fill(sandbox, {
    pdf: hostilePdf(),
    layout: layoutOf([]),
    rows: 'Ada\n',
    args: ['--cache', 'cache', ...args],
    env,
  });
const marksOf = ({ files }: FilledArchive) => marksIn(files['row_1.pdf'] ?? new Uint8Array());

describe('actions of the source', () => {
  it('[FILL190] [FILL191] by default, kept, and by default again: each run has its own bytes and engine', async () => {
    const plain = await run([]);
    const kept = await run(['--keep-actions']);
    const again = await run([]);
    expect(marksOf(plain)).toEqual(harmless);
    expect(marksOf(kept)).toEqual(
      expect.arrayContaining([...harmless, ...KEPT_ACTIONS.map((kind) => `EVIL-link-${kind}`)]),
    );
    expect(kept.manifest.engine).toBe(`${plain.manifest.engine}+actions`);
    expect(Buffer.from(again.bytes).equals(plain.bytes)).toBe(true);
  });

  it('[FILL191] ROWPRESS_KEEP_PDF_ACTIONS=true: gives the bytes of --keep-actions', async () => {
    const [set, asked] = [
      await run([], { ROWPRESS_KEEP_PDF_ACTIONS: 'true' }),
      await run(['--keep-actions']),
    ];
    expect(Buffer.from(set.bytes).equals(asked.bytes)).toBe(true);
  });
});
