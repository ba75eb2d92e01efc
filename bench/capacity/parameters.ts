import { readFileSync } from 'node:fs';

/** Processor seconds of the parts of one job. */
export interface Cost {
  readonly node: number;
  readonly database: number;
  readonly client: number;
}

/** A measured point: so many jobs of a size, from so many clients at once. */
export interface Point {
  readonly work: 'bulkfill' | 'ingest';
  /** Rows or items of a job. */
  readonly size: number;
  readonly jobs: number;
  readonly clients: number;
  readonly seconds: number;
  /** Mean processor seconds of a job. */
  readonly cost: Cost;
  /** Points that the cost of a job and of a row were computed from. The others only check them. */
  readonly isBasis: boolean;
}

export interface Parameters {
  readonly measured: string;
  readonly machine: string;
  readonly load: { readonly before: number; readonly after: number };
  readonly points: readonly Point[];
}

export const PARAMETERS = new URL('parameters.json', import.meta.url);
export const readParameters = (): Parameters => JSON.parse(readFileSync(PARAMETERS, 'utf8')) as Parameters;

/** Cost of a job without rows, and of one row. */
export interface Costs {
  readonly job: Cost;
  readonly row: Cost;
}

/** The line that is relatively nearest to the basis points of a kind of work: a small job counts as much as a large one. */
export function costsOf({ points }: Pick<Parameters, 'points'>, work: Point['work']): Costs {
  const basis = points.filter((point) => point.work === work && point.isBasis);
  if (basis.length < 2) throw new Error(`bug: ${work} has no two basis points`);
  const lineOf = (part: keyof Cost) => line(basis.map(({ size, cost }) => [size, cost[part]]));
  const [node, database, client] = [lineOf('node'), lineOf('database'), lineOf('client')];
  return {
    job: { node: node.start, database: database.start, client: client.start },
    row: { node: node.slope, database: database.slope, client: client.slope },
  };
}

/** Least squares of the relative errors. Neither a job nor a row can cost less than nothing. */
function line(points: readonly (readonly [x: number, y: number])[]): { start: number; slope: number } {
  let [w, wx, wxx, wy, wxy] = [0, 0, 0, 0, 0];
  for (const [x, y] of points) {
    const weight = 1 / Math.max(y, 1e-9) ** 2;
    w += weight;
    wx += weight * x;
    wxx += weight * x * x;
    wy += weight * y;
    wxy += weight * x * y;
  }
  const slope = Math.max(0, (w * wxy - wx * wy) / (w * wxx - wx * wx));
  const start = Math.max(0, (wy - slope * wx) / w);
  return { start, slope: start === 0 ? wxy / wxx : slope };
}

export const costOf = ({ job, row }: Costs, size: number): Cost => ({
  node: job.node + row.node * size,
  database: job.database + row.database * size,
  client: job.client + row.client * size,
});
