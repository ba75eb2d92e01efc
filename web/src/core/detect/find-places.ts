import type { PageMarks } from '../page-content/read-marks.ts';
import { printedBoxes } from './boxes.ts';
import { checkBoxes } from './check-boxes.ts';
import { combs } from './combs.ts';
import { Ink } from './ink.ts';
import { pageRules } from './page-rules.ts';
import { overlaps, type Place } from './place.ts';
import { textBoxes } from './text-boxes.ts';
import { type PageText, readText } from './text-runs.ts';
import { writeLines } from './write-lines.ts';

const SURE = 0.75;
const LONG_LINE = 55; // characters
const MUCH_PROSE = 12;

/** Pages of instructions have lines and tables, too. Without any sure place, a page full of prose has no field. */
function withoutProse(places: readonly Place[], { runs }: PageText): Place[] {
  const isProse = runs.filter(({ text }) => text.length >= LONG_LINE).length >= MUCH_PROSE;
  const isForm = places.filter(({ confidence }) => confidence >= SURE).length >= 2;
  return isProse && !isForm ? places.filter(({ confidence }) => confidence >= SURE) : [...places];
}

/** The places of a page to write in or tick. When two overlap, the one with the more specific look stays. */
export function findPlaces(marks: PageMarks): { readonly places: Place[]; readonly text: PageText } {
  const text = readText(marks.glyphs);
  const rules = pageRules(marks.lines, text.typedLines);
  const ink = new Ink(text.runs, marks);
  const boxes = printedBoxes(marks, rules);
  const places: Place[] = [];
  const add = (found: readonly Place[]) => {
    for (const place of found)
      if (!places.some(({ rect }) => overlaps(rect, place.rect, 0.25))) places.push(place);
  };
  add(combs(boxes, rules, ink));
  add(checkBoxes(boxes, marks.shapes, text.boxGlyphs, ink));
  add(textBoxes(boxes, rules, ink, places));
  add(writeLines(rules, boxes, text.runs, ink));
  return { places: withoutProse(places, text), text };
}
