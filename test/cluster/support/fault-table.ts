import type { Surface } from '#client/rowpress-error.ts';
import type { Findings } from './audit.ts';
import { SURFACES } from './load.ts';

export interface FaultResult extends Findings {
  readonly fault: string;
  readonly requests: number;
  /** The longest time without a 2xx, of each surface and of all together, in milliseconds. */
  readonly gaps: Readonly<Record<Surface | 'all', number>>;
}

const HEADINGS = ['fault', 'requests', 'gap', ...SURFACES.map((name) => `gap ${name}`)];
const COUNTS = ['lost', 'doubled', 'failed jobs'];

/** The faults as a table of Markdown, gaps in seconds. */
export function faultTable(results: readonly FaultResult[]): string {
  const seconds = (ms: number) => (ms / 1000).toFixed(1);
  const rows = results.map(({ fault, requests, gaps, lost, doubled, failedJobs }) => [
    fault,
    ...[requests, seconds(gaps.all), ...SURFACES.map((name) => seconds(gaps[name]))],
    ...[lost, doubled, failedJobs],
  ]);
  const lines = [[...HEADINGS, ...COUNTS], [...HEADINGS, ...COUNTS].map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
