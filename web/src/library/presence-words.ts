import type { ProjectPresence } from '#bulkfill/operator-contract.ts';

/** Who else has the project open, and where: `Grace in Firefox on Linux, you in another tab or browser`. */
export function presenceWords(others: ProjectPresence['others'], device: string): string {
  const places = others.map((other) => {
    if (!other.is_you) return `${other.operator} in ${other.device}`;
    return `you in ${other.device === device ? 'another tab or browser' : other.device}`;
  });
  return [...new Set(places)].join(', ');
}
