import { codeWords } from '../preview/code-words.ts';
import type { Tone } from '../ui/badge.tsx';
import type { ProblemRow } from './problem-rows.ts';

interface Listed {
  readonly rows: readonly Pick<ProblemRow, 'row_number' | 'status' | 'code'>[];
  readonly more: boolean;
}

interface Counted {
  readonly total: number;
  readonly failed: number;
  readonly partial: number;
  /** What a document is made from. */
  readonly unit?: 'row' | 'group';
  /** Null if the list of problem rows could not be loaded. */
  readonly problems: Listed | null;
}

export interface OutcomeWords {
  readonly tone: Tone;
  readonly title: string;
  readonly words: string;
}

/** A completed run in plain words; green only if the list of problem rows was loaded and is empty. */
export function outcomeWords({ total, failed, partial, unit = 'row', problems }: Counted): OutcomeWords {
  const created = total - failed;
  const title =
    failed === 0
      ? total === 1
        ? '1 document created'
        : `All ${total.toLocaleString()} documents created`
      : `${created.toLocaleString()} of ${total.toLocaleString()} documents created`;
  const sentences: string[] = [];
  if (failed > 0) sentences.push(`${count(failed, unit)} failed and ${has(failed)} no document.`);
  if (partial > 0) sentences.push(`${count(partial, 'document')} ${has(partial)} skipped fields.`);
  if (problems === null) {
    sentences.push('Some rows may need attention.');
  } else {
    const notes = problems.rows.filter(({ status }) => status === 'noted');
    const noted = new Set(notes.map(({ row_number }) => row_number)).size;
    const shown = `${problems.more ? 'At least ' : ''}${count(noted, 'document')}`;
    if (noted > 0) sentences.push(`${shown} ${has(noted)} notes: ${mostFrequent(notes)}.`);
  }
  if (sentences.length === 0) {
    const words = `${total === 1 ? `The ${unit}` : `All ${unit}s`} succeeded without notes.`;
    return { tone: 'good', title, words };
  }
  sentences.push('manifest.json in the ZIP lists them all.');
  return { tone: failed > 0 ? 'bad' : 'warn', title, words: sentences.join(' ') };
}

const has = (number: number) => (number === 1 ? 'has' : 'have');
const count = (number: number, what: string) =>
  `${number.toLocaleString()} ${what}${number === 1 ? '' : 's'}`;

/** Maximum number of kinds of notes that are named. */
const NAMED = 2;

/** `text does not fit, code too small to scan and others` */
function mostFrequent(notes: readonly { readonly code: string }[]): string {
  const counts = new Map<string, number>();
  for (const { code } of notes) counts.set(code, (counts.get(code) ?? 0) + 1);
  const codes = [...counts].sort(([, a], [, b]) => b - a).map(([code]) => codeWords(code));
  const named = codes.slice(0, NAMED).join(', ');
  return codes.length > NAMED ? `${named} and others` : named;
}

/** A run that failed, in plain words. */
export function failureOutcome(
  error: { readonly code: string; readonly message: string } | null,
  failed: number,
  maxFailedRowPercent: number | null,
): Pick<OutcomeWords, 'title' | 'words'> {
  const nothing = 'No document was delivered, and nothing was counted against the quota.';
  if (error?.code === 'EXPORT_CANCELLED') return { title: 'Run cancelled', words: nothing };
  if (error?.code !== 'FAILED_ROW_THRESHOLD_EXCEEDED')
    return { title: 'Run failed', words: `${error?.message ?? ''} ${nothing}`.trim() };
  const why =
    maxFailedRowPercent === null || maxFailedRowPercent === 0
      ? 'The run was set to stop at the first failed row.'
      : `The run was set to stop above ${maxFailedRowPercent} % failed rows.`;
  return { title: `Run stopped: ${count(failed, 'row')} failed`, words: `${why} ${nothing}` };
}
