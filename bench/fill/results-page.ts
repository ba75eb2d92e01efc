import type { Timed } from './measure.ts';

/** The figures of one run. */
export interface BenchResults {
  readonly date: string;
  readonly machine: string;
  /** Load average before and after; the benchmark itself causes 1 to 2. */
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
  /** One round of rows after a warm-up round. */
  readonly warmSeconds: Timed;
  readonly seconds: Timed;
  /** Without start and setup. */
  readonly rowSeconds: Timed;
  readonly cpuSeconds: Timed;
}

const OURS = 'Rowpress';

/** Returns docs/bench/fill.md for the figures of one run. */
export function resultsPage(results: BenchResults): string {
  const { rates, setup, threads, large } = results;
  const names = Object.keys(rates.A ?? {});
  const peers = names.filter((name) => name !== OURS);
  const libraries = new Set(peers.map((name) => name.split(',')[0]));
  const strongest = (source: string) => Math.max(...peers.map((name) => rates[source]?.[name] ?? 0));
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

\`bench/fill\` (see the header of \`run.ts\`) compares Rowpress with ${libraries.size} PDF libraries in ${peers.length} configurations. Each row puts five texts and a QR
code on page 1.

- Source A has 1 page and ${((results.bytes.A ?? 0) / 1e6).toFixed(3)} MB. Source B has 20 pages and ${((results.bytes.B ?? 0) / 1e6).toFixed(1)} MB.
- The figures are rows per second of processor time on one core: medians of interleaved rounds after a warm-up round.
- Each row counts up to its ZIP entry (deflate and CRC). Nothing is written, and the setup is measured separately below.

${results.date}, ${results.machine}.${busy(results.load)}

| | A | Rowpress is faster by | B | Rowpress is faster by |
|---|---|---|---|---|
${names.map((name) => `| ${name} | ${rate(rates.A?.[name])} | ${ratio('A', name)} | ${rate(rates.B?.[name])} | ${ratio('B', name)} |`).join('\n')}

Against the fastest library: ${Math.round((rates.A?.[OURS] ?? 0) / strongest('A'))} × on A, ${Math.round((rates.B?.[OURS] ?? 0) / strongest('B'))} × on B.

## Setup

The setup takes the bytes of the source to the first row. It reads and rewrites the source in the capped child process, embeds fonts, checks the
result with a second reader, and deflates the base. Best / median of 7, wall-clock time.

| | reader started on demand | reader on standby | base from the cache |
|---|---|---|---|
${Object.entries(setup)
  .map(
    ([name, { coldMs, standbyMs, cachedMs }]) =>
      `| ${name} | ${ms(coldMs)} | ${ms(standbyMs)} | ${ms(cachedMs)} |`,
  )
  .join('\n')}

## Threads, memory, disk

${threads.rows.toLocaleString('en')} rows of A into an archive on \`/dev/null\`, on one thread and on two, ${threads.runs} processes of each, alternating.

A thread is warm when V8 has optimised its code, which takes about half a second of processor time per thread. The threads of a server are warm.
Cold runs vary widely from series to series; [the fill engine's internals](../guides/fill-engine-internals.md) give the range.

| | one thread, best / median | two threads, best / median | two are faster by, best / median |
|---|---|---|---|
${[
  threadLine('rows on warm threads', 'warmSeconds'),
  threadLine('`rowpress fill`, rows without the setup', 'rowSeconds'),
  threadLine('`rowpress fill` as a whole', 'seconds'),
  threadLine('processor time of `rowpress fill`', 'cpuSeconds'),
].join('\n')}

- \`rowpress fill\` with ${large.rows.toLocaleString('en')} rows of A to \`/dev/null\` takes ${large.seconds.toFixed(1)} s in all, with at most ${mega(large.peakBytes)} MB resident.
- To disk, the command writes ${mega(large.diskBytesPerSecond)} MB/s. A plain write of as many bytes reaches ${mega(large.rawBytesPerSecond)} MB/s on this machine, so the disk is the limit.
`;
}

/** Other work on the machine hardly changes processor time, but it does change wall-clock time. */
function busy([before, after]: readonly [number, number]): string {
  if (before < 0.7) return '';
  return `\nOther work was using this machine (load average ${before.toFixed(1)} before, ${after.toFixed(1)} after). The rates by processor time are therefore a little low, and\nwall-clock times (setup, threads, disk) are longer than on an idle machine.`;
}
