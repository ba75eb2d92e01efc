import type { Layout } from '#fill/package/layout-schema.ts';
import { type BoundColumn, bindColumns, type UsedColumn } from '#lib/rows/bind-columns.ts';
import { matchLabels, normalisedLabel } from '#lib/rows/match-labels.ts';

/**
 * Which column of the rows file fills each column of the project, by position. Null leaves the column blank. The project's
 * columns stay where they are, so a layout never changes because a file has another order.
 */
export type ColumnOrder = readonly (number | null)[];

/** The choice for each used column: an index into the file's columns, or null for blank. */
export type ColumnChoices = ReadonlyMap<number, number | null>;

export function usedColumns(columns: Layout['columns'], keys: Iterable<string>): UsedColumn[] {
  const labels = new Map(columns.map(({ key, label }) => [key, label]));
  return [...new Set(keys)]
    .map((key) => ({ position: positionOf(key), label: labels.get(key) ?? '' }))
    .sort((a, b) => a.position - b.position);
}

/** The used columns whose name in the file differs from their label. A column without a label has nothing to differ from. */
export function differingColumns(used: readonly UsedColumn[], header: readonly string[]): UsedColumn[] {
  return used.filter(
    ({ position, label }) =>
      normalisedLabel(label) !== '' && normalisedLabel(header[position] ?? '') !== normalisedLabel(label),
  );
}

/** Assigns each used column the file's column of the same name. A column without a label keeps its position if it is free. */
export function chooseByName(used: readonly UsedColumn[], header: readonly string[]): ColumnChoices {
  const bound = bindColumns(used, header);
  const taken = new Set(bound.map(({ input }) => input));
  return new Map(
    bound.map(({ position, input, match }) => {
      const isFree = match === 'unnamed' && position < header.length && !taken.has(position);
      return [position, input ?? (isFree ? position : null)];
    }),
  );
}

/**
 * What the names of a file's columns allow: use the file as it is, use it with its columns moved to the project's positions, or ask
 * a person. A person is asked if a used column is missing or ambiguous, or if a column without a name may have moved too.
 */
export type ColumnDecision =
  | { readonly is: 'as-is' }
  | { readonly is: 'moved'; readonly choices: ColumnChoices; readonly moved: readonly UsedColumn[] }
  | { readonly is: 'open' };

export function decideColumns(used: readonly UsedColumn[], header: readonly string[]): ColumnDecision {
  const bound = bindColumns(used, header);
  const moved = bound.filter(({ position, input }) => input !== null && input !== position);
  const isCertain = ({ match, position }: BoundColumn) =>
    match === 'exact' ||
    match === 'similar' ||
    (match === 'unnamed' && moved.length === 0 && position < header.length);
  if (!bound.every(isCertain)) return { is: 'open' };
  return moved.length === 0 ? { is: 'as-is' } : { is: 'moved', choices: chooseByName(used, header), moved };
}

/** How a choice relates to the column that it fills. `other`: a column with another name, chosen by a person. */
export type ChoiceStatus = 'exact' | 'similar' | 'moved' | 'other' | 'missing' | 'ambiguous';

export function choiceStatus(
  { position, label, match }: BoundColumn,
  chosen: number | null,
  header: readonly string[],
): ChoiceStatus {
  if (chosen === null) return match === 'ambiguous' ? 'ambiguous' : 'missing';
  const name = header[chosen] ?? '';
  if (normalisedLabel(name) !== normalisedLabel(label))
    return label === '' && chosen === position ? 'exact' : 'other';
  if (match === 'ambiguous') return 'ambiguous';
  if (chosen !== position) return 'moved';
  return name === label ? 'exact' : 'similar';
}

/** The columns of the file that no column of the project has the name of. */
export function newColumns(columns: Layout['columns'], header: readonly string[]): number[] {
  const known = new Set(columns.map(({ label }) => normalisedLabel(label)));
  return [...header.keys()].filter((input) => !known.has(normalisedLabel(header[input] ?? '')));
}

export function chooseByPosition(used: readonly UsedColumn[], columnCount: number): ColumnChoices {
  return new Map(used.map(({ position }) => [position, position < columnCount ? position : null]));
}

/**
 * Returns the complete order for the choices; null if it is the file's own. Unused columns keep their name's column if the
 * file has it; the file's other columns fill the free positions and then follow at the end.
 */
export function arrangeColumns(
  columns: Layout['columns'],
  choices: ColumnChoices,
  header: readonly string[],
): ColumnOrder | null {
  const byPosition = [...choices].every(
    ([position, input]) => input === (position < header.length ? position : null),
  );
  if (byPosition) return null;
  const ends = [...columns.map(({ key }) => positionOf(key)), ...choices.keys()].map(
    (position) => position + 1,
  );
  const length = Math.max(0, ...ends);
  const order = Array.from({ length }, (_, position) => choices.get(position) ?? null);
  const taken = new Set(choices.values());
  const rest = [...header.keys()].filter((input) => !taken.has(input));
  const free = [...order.keys()].filter((position) => !choices.has(position));
  const labels = new Map(columns.map(({ key, label }) => [positionOf(key), label]));
  const { inputs } = matchLabels(
    free.map((position) => labels.get(position) ?? ''),
    rest.map((input) => header[input] ?? ''),
  );
  const named = new Set<number>();
  for (const [index, position] of free.entries()) {
    const input = rest[inputs[index] ?? -1];
    if (input === undefined) continue;
    order[position] = input;
    named.add(input);
  }
  const left = rest.filter((input) => !named.has(input));
  for (const position of free) if (order[position] === null) order[position] = left.shift() ?? null;
  order.push(...left);
  while (order.length > 0 && order.at(-1) === null && !choices.has(order.length - 1)) order.pop();
  return order;
}

/** Reorders cells or names of the file into the project's order. */
export function inOrder(cells: readonly string[], order: ColumnOrder): string[] {
  return order.map((input) => (input === null ? '' : (cells[input] ?? '')));
}

const positionOf = (key: string): number => Number(key.slice('column_'.length));
