import { describe, expect, it } from 'vitest';
import { costOf, costsOf, type Point } from './parameters.ts';
import { exponential, Simulation, Station, seeded, Times } from './simulation.ts';

const CUSTOMERS = 200_000;

/** Customers with exponential gaps at one station. Returns their mean time in it and its utilisation. */
function queue(places: number, perSecond: number, service: (random: () => number) => number) {
  const simulation = new Simulation();
  const station = new Station(simulation, places);
  const times = new Times();
  const random = seeded(42);
  const arrive = (left: number) => {
    const came = simulation.now;
    station.use(service(random), () => times.add(simulation.now - came));
    if (left > 1) simulation.after(exponential(random, 1 / perSecond), () => arrive(left - 1));
  };
  arrive(CUSTOMERS);
  simulation.run(CUSTOMERS / perSecond);
  return { mean: times.mean, utilisation: station.utilisation };
}

/** Whether a value is within 5 % of the known result. */
const near = (value: number, known: number) => expect(Math.abs(value / known - 1)).toBeLessThan(0.05);

describe('the simulation against known results of queueing theory', () => {
  it('M/M/1: the mean time in the system is 1 / (µ − λ)', () => {
    const { mean, utilisation } = queue(1, 0.8, (random) => exponential(random, 1));
    near(mean, 1 / (1 - 0.8));
    near(utilisation, 0.8);
  });

  it('M/D/1: constant service halves the wait of M/M/1', () => {
    near(queue(1, 0.8, () => 1).mean, 1 + 0.8 / (2 * (1 - 0.8)));
  });

  it('M/M/2: the mean time in the system follows from the Erlang C formula', () => {
    const [load, places] = [1.5, 2];
    const full = (load ** places / 2) * (places / (places - load));
    const wait = full / (1 + load + full) / (places - load);
    near(queue(places, load, (random) => exponential(random, 1)).mean, 1 + wait);
  });

  it('a slower place: takes longer and is as busy as its work says', () => {
    const simulation = new Simulation();
    const station = new Station(simulation, 1, 0.5);
    let ended = 0;
    station.use(1, () => {
      ended = simulation.now;
    });
    simulation.run(4);
    expect([ended, station.utilisation]).toEqual([2, 0.5]);
  });

  it('visitors of one line: are served in the order in which they came', () => {
    const simulation = new Simulation();
    const station = new Station(simulation, 1);
    const served: number[] = [];
    for (let visitor = 0; visitor < 5_000; visitor += 1) station.use(1, () => served.push(visitor));
    simulation.run(5_000);
    expect(served).toEqual(Array.from({ length: 5_000 }, (_, visitor) => visitor));
  });
});

describe('the costs of the capacity model', () => {
  const point = (size: number, node: number, isBasis = true): Point => ({
    work: 'bulkfill',
    size,
    jobs: 1,
    clients: 1,
    seconds: 1,
    cost: { node, database: 0.004, client: 0.001 },
    isBasis,
  });

  it('points of a line: give the cost of a job and of a row, without those that only check', () => {
    const costs = costsOf({ points: [point(1, 0.011), point(100, 0.11), point(50, 9, false)] }, 'bulkfill');
    expect(costs.job.node).toBeCloseTo(0.01, 6);
    expect(costs.row.node).toBeCloseTo(0.001, 6);
    expect(costOf(costs, 1_000)).toMatchObject({ node: expect.closeTo(1.01, 6), database: 0.004 });
  });

  it('a small job that costs more than a large one: no row costs less than nothing', () => {
    expect(costsOf({ points: [point(1, 0.02), point(100, 0.01)] }, 'bulkfill').row.node).toBe(0);
  });
});
