/**
 * Measures slices of one row with one and with two worker processes, alternately: the rate, and what a slice costs.
 *
 *   node bench/engine/slices.ts [--rounds 5] [--slices 4000] [--jobs 40] [--statements]
 */
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { systemIds } from '#lib/ids.ts';
import { type Database, openDatabase } from '#storage/database.ts';
import { migrate } from '#storage/migrate.ts';
import { CrashNode } from '../../test/support/crash-node.ts';
import { exampleEffectsTable } from '../../test/support/example-kind.ts';
import { cpuSeconds } from '../capacity/cpu-time.ts';
import { type BenchPostgres, startCountingPostgres } from './bench-postgres.ts';

export interface SlicesOptions {
  readonly rounds: number;
  readonly slices: number;
  readonly jobs: number;
  /** Prints the statements and waits of each round. */
  readonly statements?: boolean;
}

/** What one round of slices took. Times are milliseconds of CPU per slice. */
interface Round {
  readonly perSecond: number;
  readonly database: number;
  readonly workers: number;
  /** Sessions that wait for a lock, on average, and those that run or wait for anything. */
  readonly lockWaits: number;
  readonly busy: number;
  readonly claims: number;
  readonly statements: number;
  readonly syncs: number;
}

const PLACES = 8;
const SAMPLE_MS = 25;
const WARM_UP_JOBS = 10;

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '5' },
      slices: { type: 'string', default: '4000' },
      jobs: { type: 'string', default: '40' },
      statements: { type: 'boolean', default: false },
    },
  });
  const results = await measureSlices({
    rounds: Number(values.rounds),
    slices: Number(values.slices),
    jobs: Number(values.jobs),
    statements: values.statements,
  });
  console.log(
    ['| what | figure |', '|---|---|', ...results.map((row) => `| ${row.join(' | ')} |`)].join('\n'),
  );
}

/** Medians of alternating rounds, on a PostgreSQL of its own. */
export async function measureSlices(options: SlicesOptions): Promise<[what: string, figure: string][]> {
  const postgres = await startCountingPostgres();
  const database = openDatabase(postgres.address, 4, console.error);
  try {
    await migrate(database.db);
    await database.pool.query(exampleEffectsTable);
    const rounds: [Round[], Round[]] = [[], []];
    for (let round = 0; round < options.rounds; round += 1)
      for (const processes of [1, 2] as const)
        rounds[processes - 1]?.push(await measureRound(postgres, database, processes, options));
    return describe(...rounds);
  } finally {
    await database.close();
    await postgres.stop();
  }
}

function describe(one: readonly Round[], two: readonly Round[]): [string, string][] {
  const of = (rounds: readonly Round[], key: keyof Round) => median(rounds.map((round) => round[key]));
  const ratio = of(two, 'perSecond') / of(one, 'perSecond');
  const both = (what: string, key: keyof Round, write: (value: number) => string): [string, string] => [
    what,
    `${write(of(one, key))} with one, ${write(of(two, key))} with two`,
  ];
  const ms = (value: number) => `${value.toFixed(2)} ms`;
  return [
    ['slices of one row, 1 worker process', `${Math.round(of(one, 'perSecond'))}/s`],
    [
      'slices of one row, 2 worker processes',
      `${Math.round(of(two, 'perSecond'))}/s = ${ratio.toFixed(2)} × one`,
    ],
    both('PostgreSQL CPU per slice', 'database', ms),
    both('worker CPU per slice', 'workers', ms),
    both('sessions that wait for a lock, on average', 'lockWaits', (count) => count.toFixed(2)),
    both('busy sessions, on average', 'busy', (count) => count.toFixed(1)),
    both('statements per slice', 'statements', (count) => count.toFixed(1)),
    both('claims per slice', 'claims', (count) => count.toFixed(2)),
    both('WAL syncs per slice', 'syncs', (count) => count.toFixed(2)),
    [
      'load average',
      loadavg()
        .map((load) => load.toFixed(1))
        .join(' '),
    ],
  ];
}

async function measureRound(
  postgres: BenchPostgres,
  { pool }: Database,
  processes: number,
  { slices, jobs, statements }: SlicesOptions,
): Promise<Round> {
  const accountId = systemIds.uuid();
  await pool.query("insert into accounts (id, name, plan, created_at) values ($1, $2, 'unlimited', now())", [
    accountId,
    accountId,
  ]);
  const { address, dataDir } = postgres;
  const api = await CrashNode.start({ address, workers: 0 });
  const nodes = await Promise.all(
    Array.from({ length: processes }, () => CrashNode.start({ address, workers: PLACES })),
  );
  const accept = async (count: number, name: string) => {
    for (let i = 0; i < count; i += 1)
      await api.ask({
        do: 'accept',
        key: `${name}-${i}`,
        body: '',
        accountId,
        count: slices / jobs,
        sliceSize: 1,
      });
  };
  await accept(WARM_UP_JOBS * processes, 'warm');
  await allSettled(pool);
  // Stopped processes claim nothing until all jobs are there.
  for (const node of nodes) node.signal('SIGSTOP');
  await accept(jobs, 'measured');
  await pool.query('select pg_stat_statements_reset()');
  const cpu = () => ({
    database: cpuSeconds(api.pid, dataDir).database,
    workers: nodes.reduce((sum, { pid }) => sum + cpuSeconds(pid, dataDir).node, 0),
  });
  const [cpuBefore, syncsBefore] = [cpu(), await walSyncs(pool)];
  const waits = sampleLockWaits(pool, statements === true);
  const began = performance.now();
  for (const node of nodes) node.signal('SIGCONT');
  await allSettled(pool);
  const seconds = (performance.now() - began) / 1000;
  const cpuAfter = cpu();
  const { lockWaits, busy } = await waits.stop();
  const syncs = (await walSyncs(pool)) - syncsBefore;
  const counts = await countStatements(pool, statements === true);
  await Promise.all([api, ...nodes].map((node) => node.stop()));
  const round = {
    perSecond: slices / seconds,
    database: ((cpuAfter.database - cpuBefore.database) * 1000) / slices,
    workers: ((cpuAfter.workers - cpuBefore.workers) * 1000) / slices,
    lockWaits,
    busy,
    claims: counts.claims / slices,
    statements: counts.all / slices,
    syncs: syncs / slices,
  };
  const { perSecond, database, workers } = round;
  console.error(
    `${processes} process(es): ${Math.round(perSecond)}/s, CPU ms/slice: database ${database.toFixed(2)}, workers ${workers.toFixed(2)}, lock waits ${lockWaits.toFixed(2)} of ${busy.toFixed(1)} busy sessions, load ${loadavg()[0]?.toFixed(1)}`,
  );
  return round;
}

type Pool = Database['pool'];

async function walSyncs(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ syncs: number }>(
    `select coalesce(sum(fsyncs), 0)::int8 as syncs from pg_stat_io where object = 'wal'`,
  );
  return rows[0]?.syncs ?? 0;
}

/** Statements of the workers: everything but those of this program. */
async function countStatements(pool: Pool, print: boolean): Promise<{ all: number; claims: number }> {
  const { rows } = await pool.query<{ query: string; calls: number; ms: number }>(
    `select query, calls, total_exec_time as ms from pg_stat_statements
     where query !~ 'pg_stat|settled_at is null limit' order by total_exec_time desc`,
  );
  if (print)
    for (const { query, calls, ms } of rows.slice(0, 25))
      console.error(
        `${String(calls).padStart(7)} calls ${ms.toFixed(0).padStart(6)} ms  ${query.replace(/\s+/g, ' ').slice(0, 110)}`,
      );
  const claims = rows.filter(({ query }) => query.includes('held as materialized'));
  const sum = (of: typeof rows) => of.reduce((total, { calls }) => total + calls, 0);
  return { all: sum(rows), claims: sum(claims) };
}

function sampleLockWaits(
  pool: Pool,
  print: boolean,
): {
  stop(): Promise<Pick<Round, 'lockWaits' | 'busy'>>;
} {
  let running = true;
  let [waiting, busy, samples] = [0, 0, 0];
  const seen = new Map<string, number>();
  const sampling = (async () => {
    while (running) {
      const { rows } = await pool.query<{ wait: string; isLock: boolean; query: string }>(
        `select coalesce(wait_event_type || ':' || wait_event, 'running') as wait,
           coalesce(wait_event_type = 'Lock', false) as "isLock", query
         from pg_stat_activity where state = 'active' and pid <> pg_backend_pid() and backend_type = 'client backend'`,
      );
      samples += 1;
      for (const { wait, isLock, query } of rows) {
        busy += 1;
        if (isLock) waiting += 1;
        const what = `${wait.padEnd(28)} ${query.replace(/\s+/g, ' ').slice(0, 80)}`;
        seen.set(what, (seen.get(what) ?? 0) + 1);
      }
      await new Promise((resolve) => setTimeout(resolve, SAMPLE_MS));
    }
  })();
  const stop = async () => {
    running = false;
    await sampling;
    if (print)
      for (const [what, times] of [...seen].sort(([, a], [, b]) => b - a).slice(0, 20))
        console.error(`${String(times).padStart(7)} samples  ${what}`);
    return { lockWaits: waiting / Math.max(1, samples), busy: busy / Math.max(1, samples) };
  };
  return { stop };
}

async function allSettled(pool: Pool): Promise<void> {
  for (let i = 0; i < 3_000; i += 1) {
    const { rows } = await pool.query('select from jobs where settled_at is null limit 1');
    if (rows.length === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('the slices did not end');
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
