import type { RowResult } from '#fill/results/manifest.ts';
import type { Tone } from '../ui/badge.tsx';

/** A row's status as its badge shows it. A row whose text was cut or lacks glyphs succeeds, but not in green. */
export function rowVerdict({ status, warnings }: Pick<RowResult, 'status' | 'warnings'>): {
  readonly tone: Tone;
  readonly words: string;
} {
  if (status === 'failed') return { tone: 'bad', words: 'failed' };
  if (status === 'partial') return { tone: 'warn', words: 'partial' };
  return warnings.length > 0
    ? { tone: 'warn', words: 'success, with notes' }
    : { tone: 'good', words: 'success' };
}
