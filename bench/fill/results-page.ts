import type { Timed } from './measure.ts';

/** Figures of one run, and the page that shows them. */
export interface BenchResults {
  readonly date: string;
  readonly machine: string;
  /** Load average before and after; the bench itself is 1 to 2. */
  readonly load: readonly [number, number];
  readonly bytes: Readonly<Record<string, number>>;
  /** Source → contestant → rows per CPU-second. */
  readonly rates: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly setup: Record<
    string,
    { readonly coldMs: Timed; readonly standbyMs: Timed; readonly cachedMs: Timed }
  >;
  readonly threads: {
    readonly rows: number;
    readonly runs: number;
    readonly one: ThreadFigures;
    readonly two: ThreadFigures;
  };
  readonly large: {
    readonly rows: number;
    readonly seconds: number;
    readonly peakBytes: number;
    readonly diskBytesPerSecond: number;
    readonly rawBytesPerSecond: number;
  };
}

interface ThreadFigures {
  /** A round of rows after a warm-up round. */
  readonly warmSeconds: Timed;
  readonly seconds: Timed;
  /** Without start and setup. */
  readonly rowSeconds: Timed;
  readonly cpuSeconds: Timed;
}

const OURS = 'Rowpress';

export function resultsPage(results: BenchResults): string {
  const { rates, setup, threads, large } = results;
  const names = Object.keys(rates.A ?? {});
  const strongest = (source: string) =>
    Math.max(...names.filter((name) => name !== OURS).map((name) => rates[source]?.[name] ?? 0));
  const rate = (value: number | undefined) =>
    value === undefined ? '–' : value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(1);
  const ratio = (source: string, name: string) => {
    const factor = (rates[source]?.[OURS] ?? 0) / (rates[source]?.[name] ?? Number.NaN);
    return name === OURS ? '' : `${Math.round(factor).toLocaleString('en')} ×`;
  };
  const ms = ({ best, median }: Timed) => `${Math.round(best)} / ${Math.round(median)} ms`;
  const mega = (bytes: number) => Math.round(bytes / 1e6).toLocaleString('en');
  const seconds = ({ best, median }: Timed) => `${best.toFixed(2)} / ${median.toFixed(2)} s`;
  const times = (kind: 'best' | 'median', what: keyof ThreadFigures) =>
    `${(threads.one[what][kind] / threads.two[what][kind]).toFixed(2)} ×`;
  const threadLine = (name: string, what: keyof ThreadFigures) =>
    `| ${name} | ${seconds(threads.one[what])} | ${seconds(threads.two[what])} | ${times('best', what)} / ${times('median', what)} |`;
  return `# Fill benchmark

Made by \`bench/fill\` (its README is the header of \`run.ts\`). Five texts and a QR code on page 1.
Source A: 1 page, ${mega(results.bytes.A ?? 0)}.${Math.round(((results.bytes.A ?? 0) % 1e6) / 1e3)
    .toString()
    .padStart(
      3,
      '0',
    )} MB; source B: 20 pages, ${((results.bytes.B ?? 0) / 1e6).toFixed(1)} MB. Rows per second of processor time on one
core, medians of interleaved rounds after a warm-up round. Every contestant's row counts up to its ZIP entry (deflate and CRC);
nothing is written. Setup is left out here and stands below.

${results.date}, ${results.machine}.${busy(results.load)}

| | A | ours is | B | ours is |
|---|---|---|---|---|
${names.map((name) => `| ${name} | ${rate(rates.A?.[name])} | ${ratio('A', name)} | ${rate(rates.B?.[name])} | ${ratio('B', name)} |`).join('\n')}

Against the strongest peer: ${Math.round((rates.A?.[OURS] ?? 0) / strongest('A'))} × on A, ${Math.round((rates.B?.[OURS] ?? 0) / strongest('B'))} × on B.

## Setup

From the bytes of the source to the first row: reading and rewriting it in the capped child process, embedding fonts, a second reader's check, deflating the base. Best / median of 7, by the clock.

| | reader started on demand | reader standing by | base from the cache |
|---|---|---|---|
${Object.entries(setup)
  .map(
    ([name, { coldMs, standbyMs, cachedMs }]) =>
      `| ${name} | ${ms(coldMs)} | ${ms(standbyMs)} | ${ms(cachedMs)} |`,
  )
  .join('\n')}

## Threads, memory, disk

${threads.rows.toLocaleString('en')} rows of A into an archive on \`/dev/null\`, on one thread and on two, ${threads.runs} processes of each in turn. A thread is warm when its code
is optimised, which takes each thread about half a second of processor time once; the threads of a server are.
Cold runs differ much from series to series; docs/guides/fill-engine-internals.md says how much.

| | one thread, best / median | two | two are faster by, best / median |
|---|---|---|---|
${[
  threadLine('rows, warm threads', 'warmSeconds'),
  threadLine('`rowpress fill`, rows without the setup', 'rowSeconds'),
  threadLine('`rowpress fill` as a whole', 'seconds'),
  threadLine('its processor time', 'cpuSeconds'),
].join('\n')}

- \`rowpress fill\` with ${large.rows.toLocaleString('en')} rows of A to \`/dev/null\`: ${large.seconds.toFixed(1)} s in all, at most ${mega(large.peakBytes)} MB resident.
- To disk the command writes ${mega(large.diskBytesPerSecond)} MB/s; a plain write of as many bytes reaches ${mega(large.rawBytesPerSecond)} MB/s here. The archive is made faster than this disk takes it.
`;
}

/** Processor time hardly minds company; clocks do. */
function busy([before, after]: readonly [number, number]): string {
  if (before < 0.7) return '';
  return `\nOther work was using this machine (load average ${before.toFixed(1)} before, ${after.toFixed(1)} after): rates by processor time are a little low, and everything below that is\nmeasured by the clock (setup, threads, disk) is slower than on a machine of its own.`;
}
