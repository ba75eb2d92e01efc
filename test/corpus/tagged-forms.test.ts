import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { corpusDir } from '../support/corpus-dir.ts';
import { prepareForTest } from '../support/prepared.ts';
import { structureProblems, unmarkedPainting } from '../support/structure-problems.ts';

/** Tagged forms of the outside corpus. Existing errors in their structure are allowed; filling must add none. */
const FORMS = ['irs-fw9', 'uscis-i-821', 'uscis-i-90', 'uscourts-b_101'] as const;
const folder = corpusDir('pdf/forms');
if (folder === null) console.log('tagged forms skipped: the folder is absent (CORPUS_DIR)');

const counted = (problems: readonly string[]) => {
  const counts = new Map<string, number>();
  for (const problem of problems) {
    const kind = problem.replace(/\d+/g, 'n');
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return counts;
};

describe.skipIf(folder === null).each(FORMS)('the tagged form %s', (name) => {
  it.each([false, true])(
    '[FILL113] filled, flattened %s: its structure has no new fault',
    async (flattenForms) => {
      const source = readFileSync(join(folder ?? '', `${name}.pdf`));
      const untouched = await prepareForTest(source, {});
      const texts = untouched.base.facts.source.form_fields
        .filter(({ type }) => type === 'text')
        .slice(0, 20);
      const filled = await prepareForTest(
        source,
        {
          overlays: [
            {
              id: 'o',
              type: 'text',
              page: 1,
              x: 72,
              y: 300,
              width: 200,
              height: 20,
              value: { static: 'Overlay' },
            },
          ],
          form_fields: texts.map((field, index) => ({
            id: `f${index}`,
            field: field.name,
            value: { static: `${index}` },
          })),
        },
        { flattenForms },
      );
      const before = counted(await structureProblems(untouched.pdf()));
      for (const [problem, count] of counted(await structureProblems(filled.pdf()))) {
        expect([problem, count <= (before.get(problem) ?? 0)]).toEqual([problem, true]);
      }
      expect(await unmarkedPainting(filled.pdf())).toEqual(await unmarkedPainting(untouched.pdf()));
    },
  );
});
