import type { RowStatus } from '#fill/results/row-outcome.ts';

/**
 * What a row's result means for its document:
 *   fine     the document shows all values as they are
 *   notes    the document differs from the data: text was cut, characters are missing, a value was not read
 *   problem  a field is missing from the document, or there is no document
 */
export type Verdict = 'fine' | 'notes' | 'problem';

export function verdictOf(status: RowStatus, warnings: number): Verdict {
  if (status === 'failed') return 'problem';
  // A partial row without a warning is one in which every field is hidden, or a layout without fields.
  if (status === 'partial') return warnings > 0 ? 'problem' : 'notes';
  return warnings > 0 ? 'notes' : 'fine';
}
