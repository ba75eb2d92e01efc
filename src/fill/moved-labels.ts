import { bindColumns } from '#lib/rows/bind-columns.ts';
import type { LabelledColumn } from '#lib/rows/labelled-rows.ts';
import type { TopLevelWarning } from './package/compare-source.ts';

/**
 * Warns of labels that a header has at another position than the package. Rows are read by position, so such a column fills
 * another field than its name says. A name that occurs twice is not a label that moved.
 */
export function movedLabels(
  columns: readonly LabelledColumn[],
  header: readonly string[],
): readonly TopLevelWarning[] {
  const labelled = columns.map(({ key, label }) => ({
    position: Number(key.slice('column_'.length)),
    label,
  }));
  return bindColumns(labelled, header).flatMap(({ label, position, input }): TopLevelWarning[] => {
    if (input === null || input === position) return [];
    return [
      {
        code: 'COLUMN_LABEL_MOVED',
        message: `The header has "${label}" at position ${input}, the package at position ${position}. Rows were read by position.`,
        expected: position,
        actual: input,
      },
    ];
  });
}
