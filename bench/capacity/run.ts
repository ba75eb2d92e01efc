/**
 * Checks the capacity model against the measured points of parameters.json, then says what an installation needs.
 * Exits with 1 if a point is more than 25 % off.
 *
 *   node bench/capacity/run.ts [jobs a day] [rows of a job] [bulkfill|ingest]
 */
import { closedThroughput, installationFor, type Load, openLoad } from './model.ts';
import { costOf, costsOf, type Point, readParameters } from './parameters.ts';

const CORES = 2;
const ALLOWED = 0.25;
/** The busiest second of a day has this many times the jobs of its average second. */
const PEAK = 5;
const SECONDS_A_DAY = 86_400;

const parameters = readParameters();
const costs = { bulkfill: costsOf(parameters, 'bulkfill'), ingest: costsOf(parameters, 'ingest') };
const ms = (seconds: number) =>
  seconds < 1 ? `${Number((seconds * 1000).toPrecision(3))} ms` : `${seconds.toPrecision(3)} s`;
const counted = (count: number, what: string) =>
  `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`;
const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const checks = parameters.points.map((point) => {
  const measured = point.jobs / point.seconds;
  const simulated = closedThroughput(point, costs[point.work], CORES);
  return { point, measured, simulated, off: simulated / measured - 1 };
});
const name = ({ work, size, clients }: Point) =>
  work === 'bulkfill'
    ? `Bulk Fill, ${counted(size, 'row')}, ${counted(clients, 'client')}`
    : `Ingest, ${counted(size, 'item')}, ${counted(clients, 'client')}`;
console.log(
  `Measured ${parameters.measured}: ${parameters.machine}, load ${parameters.load.before} to ${parameters.load.after}.\n`,
);
console.log(
  table(
    ['point', 'node per job', 'database per job', 'measured', 'simulated', 'off by', 'use'],
    checks.map(({ point, measured, simulated, off }) => [
      name(point),
      ms(point.cost.node),
      ms(point.cost.database),
      `${measured.toPrecision(3)} jobs/s`,
      `${simulated.toPrecision(3)} jobs/s`,
      `${Math.round(off * 100) || 0} %`,
      point.isBasis ? 'basis' : 'check',
    ]),
  ),
);
console.log(
  `\n${table(
    ['cost', 'node', 'database'],
    (['bulkfill', 'ingest'] as const).flatMap((work) => [
      [
        work === 'bulkfill' ? 'a Bulk Fill job' : 'an ingest load',
        ms(costs[work].job.node),
        ms(costs[work].job.database),
      ],
      [
        work === 'bulkfill' ? 'one of its rows' : 'one of its items',
        ms(costs[work].row.node),
        ms(costs[work].row.database),
      ],
    ]),
  )}`,
);

const [jobs = '', size = '', kind = 'bulkfill'] = process.argv.slice(2);
const work: Point['work'] = kind === 'ingest' ? 'ingest' : 'bulkfill';
const asked: readonly (readonly [number, number])[] =
  jobs === ''
    ? [
        [10_000, 10],
        [100_000, 10],
        [1_000_000, 10],
        [10_000_000, 10],
        [1_000, 10_000],
        [10_000, 10_000],
        [1_000_000, 10_000],
      ]
    : [[Number(jobs), Number(size === '' ? 10 : size)]];
console.log(
  `\n${table(
    [
      'jobs a day',
      'rows of a job',
      'jobs/s at the peak',
      'node cores',
      'database cores',
      'busy',
      'time of a job, p50 / p99',
      'first limit',
    ],
    asked.map(([perDay, rows]) =>
      sized({ work, size: rows, perSecond: (perDay / SECONDS_A_DAY) * PEAK }, perDay),
    ),
  )}`,
);

function sized(load: Load, perDay: number): string[] {
  const needed = installationFor(load, costs[work]);
  const { times, node, database } = openLoad(load, costs[work], needed);
  const cost = costOf(costs[work], load.size);
  return [
    perDay.toLocaleString('en'),
    load.size.toLocaleString('en'),
    load.perSecond.toPrecision(3),
    String(needed.nodeCores),
    String(needed.databaseCores),
    `${Math.round(node * 100)} / ${Math.round(database * 100)} %`,
    `${ms(times.at(0.5))} / ${ms(times.at(0.99))}`,
    cost.node > cost.database ? 'node' : 'database',
  ];
}

const wrong = checks.filter(({ off }) => Math.abs(off) > ALLOWED);
console.log(
  wrong.length === 0
    ? `\nAll ${checks.length} points are within ${ALLOWED * 100} %.`
    : `\n${wrong.length} of ${checks.length} points are more than ${ALLOWED * 100} % off.`,
);
process.exitCode = wrong.length === 0 ? 0 : 1;
