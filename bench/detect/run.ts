/**
 * Measures field detection on real forms: removes the widgets of AcroForm files, detects fields from the printed page, and
 * compares them with the true rectangles.
 *
 *   node bench/detect/run.ts                                  # the table of docs/bench/detect.md
 *   node bench/detect/run.ts pictures <folder> <part of name> # pages with true and proposed fields as PNG
 */
import { join } from 'node:path';
import { corpusDir } from '../../test/support/corpus-dir.ts';
import { detectFields } from '../../web/src/core/detect/detect-fields.ts';
import { rectsOf } from '../../web/src/core/detect/proposal.ts';
import { drawPage } from './draw-page.ts';
import { FORMS, HELD_BACK } from './forms.ts';
import { type FileScore, measureForm, sumOf } from './measure.ts';
import { readForm } from './read-corpus.ts';
import { matched } from './score.ts';

const BLUE = [0, 0, 255] as const;
const MAGENTA = [255, 0, 255] as const;
const GREEN = [0, 160, 0] as const;
const RED = [255, 0, 0] as const;

const folder = corpusDir('pdf');
if (folder === null) throw new Error('The corpus is absent. Set CORPUS_DIR.');
const [command, target = '', wanted = ''] = process.argv.slice(2);
if (command === 'pictures') await drawPictures(folder, target, wanted);
else await printTable(folder);

async function printTable(root: string): Promise<void> {
  const scores: { readonly name: string; readonly score: FileScore }[] = [];
  // The first form runs twice: the first time warms the compiler up.
  measureForm(await readForm(join(root, FORMS[0] ?? '')));
  for (const name of FORMS) scores.push({ name, score: measureForm(await readForm(join(root, name))) });
  const of = (isMember: (name: string) => boolean) =>
    sumOf(scores.filter(({ name }) => isMember(name)).map(({ score }) => score));
  console.log('| form | pages | fields | proposals | found | false | CPU ms per page (slowest) |');
  console.log('|---|--:|--:|--:|--:|--:|--:|');
  for (const { name, score } of scores)
    console.log(row(HELD_BACK.has(name) ? `${name} (held back)` : name, score));
  console.log(
    row(
      '**adjusted on**',
      of((name) => !HELD_BACK.has(name)),
    ),
  );
  console.log(
    row(
      '**held back**',
      of((name) => HELD_BACK.has(name)),
    ),
  );
  console.log(
    row(
      '**all**',
      of(() => true),
    ),
  );
}

function row(name: string, { pages, fields, proposals, found, spent, slowest }: FileScore): string {
  const percent = (part: number, whole: number) => `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`;
  const time = `${(spent / pages).toFixed(1)} (${slowest.toFixed(0)})`;
  const share = [percent(found, fields), percent(proposals - found, proposals)];
  return `| ${[name, pages, fields, proposals, ...share, time].join(' | ')} |`;
}

/** True fields are blue, missed ones magenta; proposals are green, false ones red. */
async function drawPictures(root: string, to: string, part: string): Promise<void> {
  for (const name of FORMS.filter((form) => form.includes(part))) {
    for (const { number, marks, fields } of await readForm(join(root, name))) {
      const rects = detectFields(marks, number).flatMap(rectsOf);
      const pairs = matched(fields, rects);
      const [hits, good] = [new Set(pairs.map(([field]) => field)), new Set(pairs.map(([, rect]) => rect))];
      const boxes = [
        ...fields.map((field, at) => ({ ...field, colour: hits.has(at) ? BLUE : MAGENTA })),
        ...rects.map((rect, at) => ({ ...rect, colour: good.has(at) ? GREEN : RED, inset: 2 })),
      ];
      const file = `${name.replaceAll(/[^\w-]/g, '_')}-${number}.png`;
      await drawPage(join(root, name), number, boxes, join(to, file), 1.6);
      console.log(file);
    }
  }
}
