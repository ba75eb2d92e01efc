import { matchLabels, normalisedLabel } from '#lib/rows/match-labels.ts';

/** The column for a name. A guess is similar, not equal, and must be shown as such. */
export interface NameMatch {
  readonly column: string;
  readonly guess: boolean;
}

const LEAST = 0.6; // similarity of a guess
const LEAD = 0.15; // by which the best must be ahead of the second, on both sides
/** Words without a meaning of their own in labels. */
const SMALL_WORDS = new Set([
  'a',
  'and',
  'der',
  'des',
  'die',
  'et',
  'for',
  'if',
  'in',
  'of',
  'or',
  'the',
  'und',
  'your',
]);

/**
 * Matches names to columns: equal ones, then normalised ones, then the most similar words if no other column and no other
 * name comes near. An ambiguous name gets no column.
 */
export function matchNames(
  names: readonly string[],
  columns: readonly { readonly key: string; readonly label: string }[],
): (NameMatch | null)[] {
  const { inputs, ambiguous } = matchLabels(
    names,
    columns.map(({ label }) => label),
  );
  const taken = new Set(inputs);
  const isAmbiguous = new Set(ambiguous);
  const nameWords = names.map((name) => [wordsOf(name), wordsOf(headOf(name))]);
  const columnWords = columns.map(({ label }, index) =>
    taken.has(index) ? new Set<string>() : wordsOf(label),
  );
  const open = (index: number) => inputs[index] === null && !isAmbiguous.has(index);
  const scores = nameWords.map((words, index) =>
    columnWords.map((other) => (open(index) ? Math.max(...words.map((some) => similarity(some, other))) : 0)),
  );
  return names.map((_, index) => {
    const input = inputs[index];
    if (input !== null && input !== undefined) {
      const column = columns[input];
      return column === undefined ? null : { column: column.key, guess: false };
    }
    const row = scores[index] ?? [];
    const best = row.indexOf(Math.max(0, ...row));
    const column = columns[best];
    const isClear =
      leads(row, best) &&
      leads(
        scores.map((other) => other[best] ?? 0),
        index,
      );
    return column !== undefined && isClear ? { column: column.key, guess: true } : null;
  });
}

/** Whether the score at `index` is high enough and ahead of all others. */
function leads(scores: readonly number[], index: number): boolean {
  const own = scores[index] ?? 0;
  return own >= LEAST && scores.every((score, at) => at === index || score <= own - LEAD);
}

function wordsOf(text: string): ReadonlySet<string> {
  const words = normalisedLabel(text).match(/[\p{L}\p{N}]+/gu) ?? [];
  return new Set(words.filter((word) => !SMALL_WORDS.has(word)));
}

/** A label without its explanation: `Address (number and street)`, `Name. Required on this line`. */
const headOf = (name: string) => /^[^(.,;:]+/u.exec(name)?.[0] ?? name;

/** Shared words by all words of both (Dice). */
function similarity(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 || b.size === 0) return 0;
  const shared = [...a].filter((word) => b.has(word)).length;
  return (2 * shared) / (a.size + b.size);
}
