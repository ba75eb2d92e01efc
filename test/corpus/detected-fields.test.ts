import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FORMS, HELD_BACK } from '../../bench/detect/forms.ts';
import { type FileScore, measureForm, sumOf } from '../../bench/detect/measure.ts';
import { readForm } from '../../bench/detect/read-corpus.ts';
import { corpusDir } from '../support/corpus-dir.ts';

/** Real forms without their widgets. The floors are a little below the figures of docs/bench/detect.md. */
const folder = corpusDir('pdf');
if (folder === null) console.log('detected fields skipped: the folder is absent (CORPUS_DIR)');

describe.skipIf(folder === null)('fields of real forms without their widgets', () => {
  it('[EDT86] detected from the printed pages: nine of ten are found, one of eight proposals is false', async () => {
    const scores = new Map<string, FileScore>();
    for (const name of FORMS) scores.set(name, measureForm(await readForm(join(folder ?? '', name))));
    const shares = (isMember: (name: string) => boolean) => {
      const { fields, proposals, found } = sumOf(
        [...scores].filter(([name]) => isMember(name)).map(([, score]) => score),
      );
      return { found: found / fields, wrong: (proposals - found) / proposals };
    };
    const all = shares(() => true);
    expect(all.found).toBeGreaterThan(0.9);
    expect(all.wrong).toBeLessThan(0.13);
    const heldBack = shares((name) => HELD_BACK.has(name));
    expect(heldBack.found).toBeGreaterThan(0.95);
    expect(heldBack.wrong).toBeLessThan(0.11);
  });
});
