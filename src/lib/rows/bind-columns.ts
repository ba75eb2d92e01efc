import { matchLabels, normalisedLabel } from './match-labels.ts';

/** A column of a package that something reads. */
export interface UsedColumn {
  /** Its position in a row, from 0. */
  readonly position: number;
  readonly label: string;
}

/**
 * How a column was found among the names of an input: an equal name, a name that is equal after normalisation, no name, or
 * several. A column without a label is `unnamed`: no name can find it.
 */
export type NameMatch = 'exact' | 'similar' | 'missing' | 'ambiguous' | 'unnamed';

export interface BoundColumn extends UsedColumn {
  /** The index of the input that fills the column; null if none does. */
  readonly input: number | null;
  readonly match: NameMatch;
}

/**
 * Binds columns to the names of an input (a CSV header, the keys of a JSON row). The editor, the server (`match_columns`) and
 * `rowpress fill` all bind with this function. Inputs that no column takes are ignored.
 */
export function bindColumns(used: readonly UsedColumn[], inputs: readonly string[]): readonly BoundColumn[] {
  const found = matchLabels(
    used.map(({ label }) => label),
    inputs,
  );
  const ambiguous = new Set(found.ambiguous);
  return used.map((column, index) => {
    const input = found.inputs[index] ?? null;
    const { label } = column;
    if (input !== null) return { ...column, input, match: inputs[input] === label ? 'exact' : 'similar' };
    return { ...column, input, match: ambiguous.has(index) ? 'ambiguous' : unfound(label) };
  });
}

const unfound = (label: string): NameMatch => (normalisedLabel(label) === '' ? 'unnamed' : 'missing');
