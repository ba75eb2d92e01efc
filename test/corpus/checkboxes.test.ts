import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { corpusDir } from '../support/corpus-dir.ts';
import { cellsOf } from '../support/drawn-row-pdf.ts';
import { prepareForTest } from '../support/prepared.ts';
import { widgetsOf } from '../support/widgets.ts';

/**
 * Checkboxes of real forms. judge-fields.ts sends one exact value to each; this test sends each choice of a multi-box
 * field (a Yes/No pair) in another case, and words to all fields. "no" must never clear a pair.
 */
const folder = corpusDir('pdf/forms');
if (folder === null) console.log('checkboxes of real forms skipped: the folder is absent (CORPUS_DIR)');
const files = folder === null ? [] : readdirSync(folder).filter((name) => name.endsWith('.pdf'));
const ALL_PAGES = 1000;

const otherCase = (text: string) =>
  ` ${text === text.toLowerCase() ? text.toUpperCase() : text.toLowerCase()} `;

describe.skipIf(folder === null)('checkboxes of real forms', () => {
  it.each(files)('[FILL15][FILL100] %s: every checkbox takes its values', async (name) => {
    const source = readFileSync(path.join(folder ?? '', name));
    const bare = await prepareForTest(source, {});
    const fields = bare.base.facts.source.form_fields.filter(({ type }) => type === 'checkbox');
    expect(fields.length).toBeGreaterThan(0);
    const fill = await prepareForTest(source, {
      form_fields: fields.map((field, index) => ({
        id: `f${index}`,
        field: field.name,
        value: { column: `column_${index}` },
      })),
    });
    const pairs = fields.filter(({ options = [] }) => options.length > 1);
    const most = Math.max(0, ...pairs.map(({ options = [] }) => options.length));
    for (let choice = 0; choice < most; choice += 1) {
      const chosen = new Map(
        pairs.map(({ name: field, options = [] }) => [field, options[choice % options.length]?.value ?? '']),
      );
      const values = fields.map(({ name: field }) => otherCase(chosen.get(field) ?? ''));
      const boxes = (await widgetsOf(fill.pdf(...values), ALL_PAGES)).filter(({ field }) =>
        chosen.has(field),
      );
      const wrong = boxes.filter(
        ({ field, state, value }) => value !== (state === chosen.get(field) ? state : 'Off'),
      );
      expect(wrong).toEqual([]);
      expect(new Set(boxes.filter(({ value }) => value !== 'Off').map(({ field }) => field)).size).toBe(
        pairs.length,
      );
    }
    const all = (word: string) => fill.filler.fill(1, cellsOf(...fields.map(() => word))).result;
    expect(all('neither this nor that')).toMatchObject({
      applied_overlay_count: 0,
      skipped_overlay_count: fields.length,
    });
    expect(all('true').skipped_overlay_count).toBe(pairs.length);
  });
});
