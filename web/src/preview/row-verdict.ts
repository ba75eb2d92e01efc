import type { RowResult } from '#fill/results/manifest.ts';
import { type Verdict, verdictOf } from '../core/check/verdict.ts';
import type { Tone } from '../ui/badge.tsx';

export const VERDICT_TONES: Readonly<Record<Verdict, Tone>> = { fine: 'good', notes: 'warn', problem: 'bad' };

/** A row's verdict as its badge shows it. Only a row whose document shows everything is green. */
export function rowVerdict({ status, warnings }: Pick<RowResult, 'status' | 'warnings'>): {
  readonly tone: Tone;
  readonly words: string;
} {
  const verdict = verdictOf(status, warnings.length);
  return { tone: VERDICT_TONES[verdict], words: words(verdict, status, warnings.length) };
}

function words(verdict: Verdict, status: RowResult['status'], warnings: number): string {
  if (status === 'failed') return 'No document';
  if (status === 'partial') return warnings > 0 ? 'A field is missing' : 'Nothing filled in';
  return verdict === 'fine' ? 'Fine' : 'With notes';
}
