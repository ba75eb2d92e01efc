import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { corpusDir } from '../support/corpus-dir.ts';
import { drawingBench } from '../support/drawn-row-pdf.ts';
import { readPdf } from '../support/read-pdf.ts';

const strings = corpusDir('strings');
const absent = strings === null ? ' (skipped: set CORPUS_DIR to the outside corpus)' : '';

/** What a reader may leave out or exchange: white space, invisible characters, compatibility forms, order of directions. */
const INVISIBLE = /[\s\p{Default_Ignorable_Code_Point}]/gu;
const comparable = (text: string) => [...text.normalize('NFKC').replaceAll(INVISIBLE, '')].sort().join('');

describe.skipIf(strings === null)(`naughty strings as values${absent}`, () => {
  it('[FILL81] are drawn as right text or come with a warning, in every overlay that takes a value', async () => {
    const values: string[] = JSON.parse(readFileSync(join(strings ?? '.', 'blns.json'), 'utf8'));
    const box = { page: 1, x: 5, y: 5, width: 1180, height: 390, value: { column: 'column_0' } };
    const bench = await drawingBench(
      [{ ...box, id: 't', type: 'text', size: 10, min_size: 0.5, wrap: true }],
      {
        width: 1190,
        height: 800,
      },
    );
    const others = await drawingBench([
      { ...box, id: 'q', type: 'qr' },
      { ...box, id: 'b', type: 'barcode', symbology: 'code128' },
      { ...box, id: 'd', type: 'barcode', symbology: 'datamatrix' },
      { ...box, id: 'i', type: 'image' },
      { ...box, id: 's', type: 'signature' },
      { ...box, id: 'c', type: 'check' },
    ]);
    let warned = 0;
    const wrong: string[] = [];
    for (const value of values) {
      const drawing = bench.draw(value);
      expect(drawing.error).toBeNull();
      const other = others.draw(value);
      expect(other.applied + other.skipped).toBe(6);
      expect(other.skipped).toBeLessThanOrEqual(other.warnings.length);
      if (drawing.warnings.length > 0) {
        warned += 1;
        continue;
      }
      const [page] = await readPdf(bench.pdf(value));
      const found = page?.texts.map(({ text }) => text).join('') ?? '';
      if (comparable(found) !== comparable(value)) wrong.push(value);
    }
    expect(values.length).toBeGreaterThan(500);
    expect(warned).toBeLessThan(40);
    expect(wrong).toEqual([]);
  });
});
