/** A discrete-event simulation: stations with places and one line each, first come, first served. Its time is in seconds. */
export class Simulation {
  now = 0;
  readonly #heap: { readonly at: number; readonly order: number; readonly run: () => void }[] = [];
  #order = 0;

  /** Runs an action later. Actions of the same moment run in the order in which they were added. */
  after(seconds: number, run: () => void): void {
    const heap = this.#heap;
    const added = { at: this.now + seconds, order: this.#order++, run };
    let place = heap.push(added) - 1;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      const above = heap[parent];
      if (above === undefined || isBefore(above, added)) break;
      heap[place] = above;
      place = parent;
    }
    heap[place] = added;
  }

  /** Runs until the time is over or nothing is left to do. */
  run(untilSeconds: number): void {
    for (let next = this.#heap[0]; next !== undefined && next.at <= untilSeconds; next = this.#heap[0]) {
      this.#removeFirst();
      this.now = next.at;
      next.run();
    }
    this.now = untilSeconds;
  }

  #removeFirst(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let place = 0;
    for (;;) {
      const [left, right] = [heap[2 * place + 1], heap[2 * place + 2]];
      const isRight = right !== undefined && left !== undefined && isBefore(right, left);
      const child = isRight ? right : left;
      if (child === undefined || isBefore(last, child)) break;
      heap[place] = child;
      place = 2 * place + (isRight ? 2 : 1);
    }
    heap[place] = last;
  }
}

interface Ordered {
  readonly at: number;
  readonly order: number;
}
const isBefore = (a: Ordered, b: Ordered) => a.at < b.at || (a.at === b.at && a.order < b.order);

/** Places that serve one visitor at a time each, and one line in front of them. */
export class Station {
  readonly #simulation: Simulation;
  readonly #places: number;
  /** Work that a place does per second: 0.5 on a machine that is half busy with other work. */
  readonly #speed: number;
  readonly #line: { readonly work: number; readonly done: () => void }[] = [];
  #first = 0;
  #busy = 0;
  #busySeconds = 0;

  constructor(simulation: Simulation, places: number, speed = 1) {
    this.#simulation = simulation;
    this.#places = places;
    this.#speed = speed;
  }

  /** Share of the time in which the places were busy. */
  get utilisation(): number {
    return this.#simulation.now === 0 ? 0 : this.#busySeconds / (this.#simulation.now * this.#places);
  }

  /** Waits for a place and uses it for `work` seconds of a place at full speed. */
  use(work: number, done: () => void): void {
    if (this.#busy < this.#places) this.#serve(work, done);
    else this.#line.push({ work, done });
  }

  #serve(work: number, done: () => void): void {
    const seconds = work / this.#speed;
    this.#busy += 1;
    this.#busySeconds += seconds;
    this.#simulation.after(seconds, () => {
      this.#busy -= 1;
      const next = this.#line[this.#first];
      if (next !== undefined) {
        this.#first += 1;
        if (this.#first > 1_000) this.#line.splice(0, this.#first);
        if (this.#first > 1_000) this.#first = 0;
        this.#serve(next.work, next.done);
      }
      done();
    });
  }
}

/** Times of finished jobs. */
export class Times {
  readonly #seconds: number[] = [];
  add(seconds: number): void {
    this.#seconds.push(seconds);
  }
  get count(): number {
    return this.#seconds.length;
  }
  get mean(): number {
    return this.#seconds.reduce((sum, seconds) => sum + seconds, 0) / Math.max(1, this.count);
  }
  at(share: number): number {
    const sorted = this.#seconds.toSorted((a, b) => a - b);
    return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  }
}

/** Numbers from 0 to 1 that are the same in every run (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A time with an exponential distribution. */
export const exponential = (random: () => number, mean: number): number => -Math.log(1 - random()) * mean;
