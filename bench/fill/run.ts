/**
 * The fill benchmark: our engine and three PDF libraries in seven configurations, in one process, in interleaved
 * rounds, by processor time.
 *
 *   cd bench/fill && npm ci && npm start            prints the results
 *   npm start -- --write                            also writes docs/bench/fill.md
 */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { crc32, deflateRawSync } from 'node:zlib';
// First: with changed sources, threads and children would start from the sources, which nobody does in production.
import '../../scripts/build-programs.ts';
import { createRowFiller } from '../../src/fill/create-row-filler.ts';
import { createFontKit } from '../../src/fill/fonts/font-kit.ts';
import { BaseCache } from '../../src/fill/node/base-cache.ts';
import { bundledFontLibrary } from '../../src/fill/node/bundled-fonts.ts';
import { nativeCodec } from '../../src/fill/node/native-codec.ts';
import { type OpenedFill, openFill, prefixOf } from '../../src/fill/node/open-fill.ts';
import { StandbyReader } from '../../src/fill/node/standby-reader.ts';
import { rowSegments } from '../../src/fill/zip/zip-plan.ts';
import { cellsOf, plan } from './bench-plan.ts';
import { LAYOUT, makeSource, rowCells, SOURCES } from './make-sources.ts';
import { type CommandRun, median, rowsPerCpuSecond, runCommand, timed } from './measure.ts';
import type { Peer } from './peers/peer.ts';
import { type BenchResults, resultsPage } from './results-page.ts';

const ROUNDS = 3;
const PEER_SECONDS = 2;
const OUR_SECONDS = 3;
const SETUP_ROUNDS = 7;
const THREAD_RUNS = 5;
const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const folder = mkdtempSync(path.join(tmpdir(), 'rowpress-bench-'));
try {
  const results = await runAll();
  const page = resultsPage(results);
  process.stdout.write(page);
  if (process.argv.includes('--write')) writeFileSync(path.join(ROOT, 'docs/bench/fill.md'), page);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function runAll(): Promise<BenchResults> {
  const sources = Object.fromEntries(Object.entries(SOURCES).map(([name, spec]) => [name, makeSource(spec)]));
  const before = loadavg()[0] ?? 0;
  const rates: Record<string, Record<string, number>> = {};
  const setup: BenchResults['setup'] = {};
  for (const [name, source] of Object.entries(sources)) {
    say(`source ${name}: ${source.length} bytes`);
    setup[name] = await measureSetup(source);
    rates[name] = await measureRates(source);
  }
  return {
    date: new Date().toISOString().slice(0, 10),
    load: [before, loadavg()[0] ?? 0],
    machine: `${cpus()[0]?.model ?? 'unknown'}, ${cpus().length} cores, Node ${process.version}`,
    bytes: Object.fromEntries(Object.entries(sources).map(([name, source]) => [name, source.length])),
    rates,
    setup,
    threads: await measureThreads(sources.A ?? new Uint8Array()),
    large: await measureLargeRun(sources.A ?? new Uint8Array()),
  };
}

async function measureRates(source: Uint8Array): Promise<Record<string, number>> {
  const contestants: { name: string; seconds: number; work: (row: number) => unknown }[] = [
    { name: 'Rowpress', seconds: OUR_SECONDS, work: await ours(source) },
  ];
  for (const peer of await loadPeers()) {
    contestants.push({ name: peer.name, seconds: PEER_SECONDS, work: await zipped(peer, source) });
  }
  const rounds = new Map<string, number[]>(contestants.map(({ name }) => [name, []]));
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const { name, seconds, work } of contestants) {
      const rate = await rowsPerCpuSecond(work, seconds, 1 + round * 100_000);
      // Round 0 warms up.
      if (round > 0) rounds.get(name)?.push(rate);
    }
    say(`round ${round} done`);
  }
  return Object.fromEntries([...rounds].map(([name, values]) => [name, median(values)]));
}

/**
 * Imported by URL, because the packages of the peers are installed only in this folder (`npm ci`), not in the product.
 */
async function loadPeers(): Promise<Peer[]> {
  const load = (name: string) => import(new URL(`./peers/${name}.ts`, import.meta.url).href);
  const { pdfLibPeers } = (await load('pdf-lib')) as { pdfLibPeers: Peer[] };
  const { libpdfPeers } = (await load('libpdf')) as { libpdfPeers: Peer[] };
  return [...pdfLibPeers, ...libpdfPeers];
}

/** Fills a row up to its ZIP entry, into a sink that only counts. */
async function ours(source: Uint8Array): Promise<(row: number) => number> {
  const fill = await opened(source);
  const ports = { fonts: await createFontKit(bundledFontLibrary()), codec: nativeCodec };
  const filler = await createRowFiller(fill.base, prefixOf(fill), plan, ports);
  const prefix = { deflatedLength: fill.deflated.length, plainLength: fill.base.bytes.length };
  let written = 0;
  return (row) => {
    const { zip } = filler.fill(row, cellsOf(row));
    if (zip === null) throw new Error('a row failed');
    for (const segment of rowSegments(zip, prefix, 0)) {
      written += segment.from === 'here' ? segment.bytes.length : segment.end - segment.start;
    }
    return written;
  };
}

/** Does what any ZIP writer does with a peer's file. */
async function zipped(peer: Peer, source: Uint8Array): Promise<(row: number) => Promise<number>> {
  const fillRow = await peer.open(source);
  return async (row) => {
    const bytes = await fillRow(rowCells(row));
    return deflateRawSync(bytes).length + crc32(bytes);
  };
}

async function opened(source: Uint8Array): Promise<OpenedFill> {
  const result = await openFill(source, plan);
  if (!result.ok) throw new Error(result.message);
  return result.fill;
}

async function measureSetup(source: Uint8Array): Promise<BenchResults['setup'][string]> {
  const time = async (work: () => Promise<unknown>) => {
    const started = performance.now();
    await work();
    return performance.now() - started;
  };
  const cold: number[] = [];
  const standing: number[] = [];
  const cached: number[] = [];
  const cache = new BaseCache(path.join(folder, 'bases'));
  await openFill(source, plan, { cache });
  for (let round = 0; round < SETUP_ROUNDS; round += 1) {
    cold.push(await time(() => openFill(source, plan)));
    const standby = new StandbyReader();
    // Long enough for the reader to have loaded.
    await new Promise((resolve) => setTimeout(resolve, 2000));
    standing.push(await time(() => openFill(source, plan, { takeReader: () => standby.take(true) })));
    await standby.close();
    cached.push(await time(() => openFill(source, plan, { cache })));
  }
  return { coldMs: timed(cold), standbyMs: timed(standing), cachedMs: timed(cached) };
}

/**
 * Compares one thread with two: rounds after a warm-up round, as with the rates above (`thread-rounds.ts`), and the
 * command, which starts cold each time and reports how long its rows took after the setup.
 */
async function measureThreads(source: Uint8Array): Promise<BenchResults['threads']> {
  const rows = 50_000;
  const run = (threads: number) => runFill(source, rows, '/dev/null', '--threads', `${threads}`, '--json');
  const one: CommandRun[] = [];
  const two: CommandRun[] = [];
  const warm: Record<'one' | 'two', number[]> = { one: [], two: [] };
  for (let round = 0; round < THREAD_RUNS; round += 1) {
    one.push(await run(1));
    two.push(await run(2));
    warm.one.push(...(await warmRounds(1)));
    warm.two.push(...(await warmRounds(2)));
  }
  const figures = (runs: readonly CommandRun[], rounds: readonly number[]) => ({
    warmSeconds: timed(rounds),
    seconds: timed(runs.map(({ seconds }) => seconds)),
    rowSeconds: timed(runs.map(({ output }) => JSON.parse(output).elapsed_ms.rows / 1000)),
    cpuSeconds: timed(runs.map(({ cpuSeconds }) => cpuSeconds)),
  });
  return { rows, runs: THREAD_RUNS, one: figures(one, warm.one), two: figures(two, warm.two) };
}

async function warmRounds(threads: number): Promise<number[]> {
  const script = fileURLToPath(new URL('./thread-rounds.ts', import.meta.url));
  // The heap settings of the command (bin/rowpress): with Node's defaults, one thread alone would be slower.
  const { output } = await runCommand(process.execPath, ['--max-semi-space-size=16', script, `${threads}`]);
  const [, ...rounds] = JSON.parse(output) as number[];
  return rounds;
}

function runFill(source: Uint8Array, rows: number, output: string, ...args: string[]) {
  const at = (name: string) => path.join(folder, name);
  const lines = Array.from({ length: rows }, (_, row) =>
    rowCells(row + 1)
      .map((cell) => `"${cell}"`)
      .join(','),
  );
  writeFileSync(at('A.pdf'), source);
  writeFileSync(at('layout.json'), JSON.stringify(LAYOUT));
  writeFileSync(at('rows.csv'), `${lines.join('\n')}\n`);
  const inputs = ['--pdf', at('A.pdf'), '--layout', at('layout.json'), '--rows', at('rows.csv')];
  return runCommand(path.join(ROOT, 'bin/rowpress'), ['fill', ...inputs, '-o', output, ...args]);
}

/** Measures the memory of the command with 100,000 rows, and its speed to disk. */
async function measureLargeRun(source: Uint8Array): Promise<BenchResults['large']> {
  const at = (name: string) => path.join(folder, name);
  const many = await runFill(source, 100_000, '/dev/null');
  const disk = await runFill(source, 3000, at('out.zip'));
  const { size } = statSync(at('out.zip'));
  const raw = at('raw.bin');
  const chunk = readFileSync(at('A.pdf'));
  const started = performance.now();
  writeFileSync(raw, Buffer.concat(Array.from({ length: Math.floor(size / chunk.length) }, () => chunk)), {
    flush: true,
  });
  const rawSeconds = (performance.now() - started) / 1000;
  return {
    rows: 100_000,
    seconds: many.seconds,
    peakBytes: many.peakBytes,
    diskBytesPerSecond: size / disk.seconds,
    rawBytesPerSecond: statSync(raw).size / rawSeconds,
  };
}

function say(message: string): void {
  process.stderr.write(`${message}\n`);
}
