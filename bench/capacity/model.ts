import { type Costs, costOf, type Point } from './parameters.ts';
import { exponential, Simulation, Station, seeded, Times } from './simulation.ts';

/** Rows of a slice, the unit that workers run in parallel. */
const SLICE_ROWS = { bulkfill: 1_000, ingest: 10_000 } as const;

/** Shares of the cost of a job before its slices, the rest after them: accepting, and settling. */
const ACCEPT_SHARE = 0.6;

/** The processors of an installation. One machine has a station for all of its processes. */
export interface Stations {
  readonly node: Station;
  readonly database: Station;
  readonly client: Station;
}

/** One job: it is sent and accepted, its slices run in parallel, and it is settled. */
export function runJob(
  { node, database, client }: Stations,
  costs: Costs,
  work: Point['work'],
  size: number,
  done: () => void,
): void {
  const { job, row } = costs;
  const slices = Math.ceil(size / SLICE_ROWS[work]);
  const rows = size / slices;
  const both = (share: number, then: () => void) =>
    node.use(job.node * share, () => database.use(job.database * share, then));
  let open = slices;
  const slice = () =>
    node.use(row.node * rows, () =>
      database.use(row.database * rows, () => {
        open -= 1;
        if (open === 0) both(1 - ACCEPT_SHARE, done);
      }),
    );
  client.use(job.client + row.client * size, () =>
    both(ACCEPT_SHARE, () => {
      for (let started = 0; started < slices; started += 1) slice();
    }),
  );
}

/** Jobs per second of clients that send the next job when the last one is done, on one machine. */
export function closedThroughput(
  { work, size, clients, cost, jobs, seconds }: Point,
  costs: Costs,
  cores: number,
): number {
  const simulation = new Simulation();
  // Other work had a share of the machine while the point was measured.
  const used = ((cost.node + cost.database + cost.client) * jobs) / seconds;
  const station = new Station(simulation, cores, used / cores);
  const stations = { node: station, database: station, client: station };
  const { node, database, client } = costOf(costs, size);
  const limit = ((node + database + client) / used) * 2_000;
  let finished = 0;
  const again = () =>
    runJob(stations, costs, work, size, () => {
      finished += 1;
      again();
    });
  for (let started = 0; started < clients; started += 1) again();
  simulation.run(limit);
  return finished / limit;
}

export interface Installation {
  readonly nodeCores: number;
  readonly databaseCores: number;
}

export interface Load {
  readonly work: Point['work'];
  readonly size: number;
  readonly perSecond: number;
}

/** The times of jobs that arrive at random, from the first byte to the end. */
export function openLoad(
  { work, size, perSecond }: Load,
  costs: Costs,
  { nodeCores, databaseCores }: Installation,
  jobs = 20_000,
): { readonly times: Times; readonly node: number; readonly database: number } {
  const simulation = new Simulation();
  const node = new Station(simulation, nodeCores);
  const database = new Station(simulation, databaseCores);
  // Clients have machines of their own.
  const client = new Station(simulation, Number.MAX_SAFE_INTEGER);
  const times = new Times();
  const random = seeded(7);
  const arrive = (left: number) => {
    const came = simulation.now;
    runJob({ node, database, client }, costs, work, size, () => times.add(simulation.now - came));
    if (left > 1) simulation.after(exponential(random, 1 / perSecond), () => arrive(left - 1));
  };
  arrive(jobs);
  simulation.run(jobs / perSecond);
  return { times, node: node.utilisation, database: database.utilisation };
}

/** Processors may be busy this much at the peak: above it, a small error of the costs doubles the waiting. */
const MAX_UTILISATION = 0.7;

/** The smallest installation that keeps all processors below the limit. */
export function installationFor({ size, perSecond }: Load, costs: Costs): Installation {
  const { node, database } = costOf(costs, size);
  const cores = (seconds: number) => Math.max(1, Math.ceil((seconds * perSecond) / MAX_UTILISATION));
  return { nodeCores: cores(node), databaseCores: cores(database) };
}
