import type { Rect } from '../geometry/rect.ts';
import type { PageMarks } from '../page-content/read-marks.ts';
import { choiceGroups, type LabelledCheck } from './choice-groups.ts';
import { findPlaces } from './find-places.ts';
import { labelsOf } from './labels.ts';
import type { Place } from './place.ts';
import { type Proposal, rectsOf } from './proposal.ts';

/** Proposes the fields of a flat page, from what is printed on it. The same page always gives the same list. */
export function detectFields(marks: PageMarks, page: number): Proposal[] {
  const { places, text } = findPlaces(marks);
  const labels = labelsOf(places, text.runs);
  const checks = places.flatMap((place, index): LabelledCheck[] =>
    place.kind === 'check' ? [{ place, label: labels[index] ?? '' }] : [],
  );
  const groups = choiceGroups(checks, text.runs);
  const grouped = new Set<Place>(groups.flatMap((group) => group.checks.map(({ place }) => place)));
  const proposals: Proposal[] = groups.map(({ name, checks: options }) => ({
    kind: 'choice',
    page,
    name,
    options: options.map(({ place, label }) => ({ rect: place.rect, label })),
    confidence: Math.min(...options.map(({ place }) => place.confidence)),
  }));
  for (const [index, place] of places.entries()) {
    if (grouped.has(place)) continue;
    const { kind, rect, confidence, cells } = place;
    const told = { page, rect, name: labels[index] ?? '', confidence };
    if (kind === 'comb' && cells !== undefined) proposals.push({ kind, cells, ...told });
    else proposals.push({ kind: kind === 'check' ? 'check' : 'text', ...told });
  }
  return inReadingOrder(proposals);
}

const SAME_LINE = 6;

/** By line from the top, and from the left in a line. */
function inReadingOrder(proposals: readonly Proposal[]): Proposal[] {
  const placed = proposals
    .map((proposal) => ({ proposal, at: middleOf(rectsOf(proposal)[0]) }))
    .sort((a, b) => a.at.y - b.at.y || a.at.x - b.at.x);
  const lines: (typeof placed)[] = [];
  for (const item of placed) {
    const line = lines.at(-1);
    if (line?.[0] !== undefined && item.at.y - line[0].at.y <= SAME_LINE) line.push(item);
    else lines.push([item]);
  }
  return lines.flatMap((line) => line.sort((a, b) => a.at.x - b.at.x).map(({ proposal }) => proposal));
}

const middleOf = (rect: Rect | undefined) => ({
  x: rect?.x ?? 0,
  y: rect === undefined ? 0 : rect.y + rect.height / 2,
});
