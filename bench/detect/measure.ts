import { detectFields } from '../../web/src/core/detect/detect-fields.ts';
import { rectsOf } from '../../web/src/core/detect/proposal.ts';
import type { FormPage } from './read-corpus.ts';
import { matched, type Score } from './score.ts';

export interface FileScore extends Score {
  readonly pages: number;
  /** Milliseconds of processor time: of all pages, and of the slowest. */
  readonly spent: number;
  readonly slowest: number;
}

/** Detects fields on all pages of a flat form and compares them with its true fields. Every box of a choice counts as one. */
export function measureForm(pages: readonly FormPage[]): FileScore {
  let [fields, proposals, found, spent, slowest] = [0, 0, 0, 0, 0];
  for (const page of pages) {
    const start = process.cpuUsage();
    const rects = detectFields(page.marks, page.number).flatMap(rectsOf);
    const { user, system } = process.cpuUsage(start);
    const time = (user + system) / 1_000;
    spent += time;
    slowest = Math.max(slowest, time);
    fields += page.fields.length;
    proposals += rects.length;
    found += matched(page.fields, rects).length;
  }
  return { pages: pages.length, fields, proposals, found, spent, slowest };
}

export function sumOf(scores: readonly FileScore[]): FileScore {
  const sum = (of: (score: FileScore) => number) => scores.reduce((total, score) => total + of(score), 0);
  return {
    pages: sum(({ pages }) => pages),
    fields: sum(({ fields }) => fields),
    proposals: sum(({ proposals }) => proposals),
    found: sum(({ found }) => found),
    spent: sum(({ spent }) => spent),
    slowest: Math.max(0, ...scores.map(({ slowest }) => slowest)),
  };
}
