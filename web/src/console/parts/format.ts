/** Formats numbers, sizes and times for the whole console. */
const whole = new Intl.NumberFormat('en-GB');
const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

export const formatCount = (n: number): string => whole.format(n);

/** `1 row`, `2,000 rows`. */
export const formatMany = (n: number, one: string, many = `${one}s`): string =>
  `${formatCount(n)} ${n === 1 ? one : many}`;

/** Decimal units, as for disks and limits: 20,000,000 is `20 MB`. */
export function formatBytes(bytes: number): string {
  let size = bytes;
  let unit = 0;
  while (size >= 999.5 && unit < UNITS.length - 1) {
    size /= 1000;
    unit += 1;
  }
  const digits = unit === 0 || size >= 100 ? 0 : 1;
  return `${size.toFixed(digits).replace(/\.0$/, '')} ${UNITS[unit]}`;
}

export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ms`;
  const seconds = ms / 1000;
  if (seconds < 10) return `${seconds.toFixed(1).replace(/\.0$/, '')} s`;
  const parts: [number, string][] = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [Math.round(seconds) % 60, 's'],
  ];
  // Two units are precise enough.
  const first = parts.findIndex(([amount]) => amount > 0);
  const told = parts.slice(Math.max(first, 0), Math.max(first, 0) + 2).filter(([amount]) => amount > 0);
  return told.map(([amount, unit]) => `${amount} ${unit}`).join(' ') || '0 s';
}

const STEPS: readonly [limit: number, seconds: number, unit: string][] = [
  [60, 1, 's'],
  [3600, 60, 'min'],
  [86_400, 3600, 'h'],
  [Number.POSITIVE_INFINITY, 86_400, 'd'],
];

/** `3 min ago`, `in 5 h`; show the exact time in the title. */
export function formatAgo(at: Date, now: Date): string {
  const seconds = Math.round((now.getTime() - at.getTime()) / 1000);
  const size = Math.abs(seconds);
  if (size < 5) return 'just now';
  const [, divisor, unit] = STEPS.find(([limit]) => size < limit) ?? [0, 86_400, 'd'];
  const amount = Math.floor(size / divisor);
  return seconds > 0 ? `${amount} ${unit} ago` : `in ${amount} ${unit}`;
}

/** In the user's time zone, which the text names. */
export const formatExact = (at: Date): string =>
  at.toLocaleString('en-GB', {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'short',
  });

/** `2026-11-16` → `16 Nov`, without a time zone conversion. */
export const formatDay = (date: string): string =>
  new Date(`${date}T00:00:00Z`).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'short',
    timeZone: 'UTC',
  });

/** Shows the end of an id, because time-ordered ids share their beginning. */
export const shortenId = (id: string): string => (id.length <= 14 ? id : `${id.slice(0, 4)}…${id.slice(-8)}`);
