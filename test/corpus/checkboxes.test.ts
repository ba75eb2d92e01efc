import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { describe, expect, it } from 'vitest';
import { corpusDir } from '../support/corpus-dir.ts';
import { type PreparedFill, prepareForTest } from '../support/prepared.ts';

/**
 * Every checkbox of real forms, filled with each of its choices in another case: an outside reader (pdf.js) must find
 * that state on exactly the boxes that have it. A Yes/No pair that is one field must never be cleared by "no".
 */
const folder = corpusDir('pdf/forms');
if (folder === null) console.log('checkboxes of real forms skipped: the folder is absent (CORPUS_DIR)');
const files = folder === null ? [] : readdirSync(folder).filter((name) => name.endsWith('.pdf'));

interface FoundBox {
  readonly field: string;
  /** The state that ticks the box, and the one it shows. */
  readonly on: string;
  readonly shown: string;
}

async function boxesOf(pdf: Uint8Array): Promise<FoundBox[]> {
  const task = getDocument({ data: new Uint8Array(pdf), verbosity: 0 });
  const document = await task.promise;
  const found: FoundBox[] = [];
  for (let number = 1; number <= document.numPages; number += 1) {
    for (const annotation of await (await document.getPage(number)).getAnnotations()) {
      if (annotation.checkBox !== true) continue;
      const { fieldName: field, exportValue: on, fieldValue: shown } = annotation;
      found.push({ field, on, shown });
    }
  }
  await task.destroy();
  return found;
}

const otherCase = (text: string) =>
  ` ${text === text.toLowerCase() ? text.toUpperCase() : text.toLowerCase()} `;

describe.skipIf(folder === null)('checkboxes of real forms', () => {
  it.each(files)('[FILL15][FILL100] %s', async (name) => {
    const source = readFileSync(path.join(folder ?? '', name));
    const bare = await prepareForTest(source, {});
    const fields = bare.base.facts.source.form_fields.filter(({ type }) => type === 'checkbox');
    expect(fields.length).toBeGreaterThan(0);
    const fill: PreparedFill = await prepareForTest(source, {
      form_fields: fields.map((field, index) => ({
        id: `f${index}`,
        field: field.name,
        value: { column: `column_${index}` },
      })),
    });
    const most = fields.reduce((count, { options = [] }) => Math.max(count, options.length), 0);
    for (let choice = 0; choice < most; choice += 1) {
      const chosen = new Map(
        fields.map(({ name: field, options = [] }) => [field, options[choice % options.length]?.value ?? '']),
      );
      const boxes = await boxesOf(fill.pdf(...[...chosen.values()].map(otherCase)));
      const wrong = boxes.filter(({ field, on, shown }) => {
        const expected = on === chosen.get(field) ? on : 'Off';
        return chosen.has(field) && shown !== expected;
      });
      expect(wrong).toEqual([]);
      expect(new Set(boxes.filter(({ shown }) => shown !== 'Off').map(({ field }) => field)).size).toBe(
        fields.length,
      );
    }
    const pairs = fields.filter(({ options = [] }) => options.length > 1);
    const nonsense = fill.filler.fill(
      1,
      new Map(fields.map((_, index) => [`column_${index}`, 'neither this nor that'])),
    ).result;
    expect(nonsense).toMatchObject({ applied_overlay_count: 0, skipped_overlay_count: fields.length });
    const ticked = fill.filler.fill(1, new Map(fields.map((_, index) => [`column_${index}`, 'true']))).result;
    expect(ticked.skipped_overlay_count).toBe(pairs.length);
  });
});
