import type { ProblemRow } from '#console/contract/jobs.ts';
import type { Tone } from '../ui/badge.tsx';

interface Listed {
  readonly rows: readonly Pick<ProblemRow, 'row_number' | 'status'>[];
  readonly more: boolean;
}

/** A finished run in one sentence; green only if the list of problem rows was loaded and is empty. */
export function outcomeWords(
  total: number,
  problems: Listed | null,
): { readonly tone: Tone; readonly words: string } {
  if (problems === null)
    return {
      tone: 'warn',
      words: 'Some rows may have failed or need attention. The manifest in the ZIP lists them all.',
    };
  const { rows: listed, more } = problems;
  if (listed.length === 0)
    return { tone: 'good', words: 'All rows succeeded. See manifest.json for notes such as clipped text.' };
  const byStatus = new Map<string, Set<number>>();
  for (const { row_number, status } of listed) {
    const rows = byStatus.get(status) ?? new Set();
    byStatus.set(status, rows.add(row_number));
  }
  const count = (...statuses: string[]) =>
    statuses.reduce((sum, status) => sum + (byStatus.get(status)?.size ?? 0), 0);
  const failed = count('failed');
  const partial = count('partial');
  const noted = count('success', 'noted');
  const shown = (rows: number) => `${more ? 'at least ' : ''}${rows.toLocaleString()}`;
  const parts = [
    more ? 'Some rows need attention' : `${rowsWords(total - failed - partial)} succeeded`,
    noted > 0 && `${shown(noted)} with notes`,
    partial > 0 && `${shown(partial)} with skipped fields`,
    failed > 0 && `${shown(failed)} failed`,
  ].filter((part) => part !== false);
  return { tone: 'warn', words: `${parts.join(', ')}. The manifest in the ZIP lists them all.` };
}

const rowsWords = (rows: number) => `${rows.toLocaleString()} ${rows === 1 ? 'row' : 'rows'}`;
