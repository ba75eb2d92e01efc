import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ListedObject, ObjectPart } from './s3-objects.ts';
import { nameStore } from './store-name.ts';

/** Objects whose requests take effect in the order that the schedule chooses. */
class ScheduledObjects {
  readonly place = 'a test';
  readonly #objects: Map<string, Uint8Array>;
  readonly #schedule: (name: string) => Promise<void>;
  #left: number;

  /** The process dies after this many requests. */
  constructor(objects: Map<string, Uint8Array>, schedule: (name: string) => Promise<void>, requests: number) {
    this.#objects = objects;
    this.#schedule = schedule;
    this.#left = requests;
  }

  async put(key: string, body: Uint8Array): Promise<void> {
    await this.#happen(`put ${key}`);
    this.#objects.set(key, Buffer.from(body));
    await this.#schedule('put answered');
  }

  async get(key: string): Promise<ObjectPart | 'missing'> {
    await this.#happen(`get ${key}`);
    const found = this.#objects.get(key);
    if (found === undefined) return 'missing';
    return {
      end: found.length,
      body: (async function* () {
        yield found;
      })(),
    };
  }

  async *list(below: string): AsyncIterable<ListedObject> {
    await this.#happen(`list ${below}`);
    const keys = [...this.#objects.keys()].filter((key) => key.startsWith(below)).sort();
    await this.#schedule('list answered');
    yield* keys.map((key) => ({ key, storedAt: new Date(0) }));
  }

  async #happen(what: string): Promise<void> {
    await this.#schedule(what);
    if (this.#left === 0) throw new Error('killed');
    this.#left -= 1;
  }
}

const FOREVER = Number.POSITIVE_INFINITY;

test('[BLB9] processes that name a store at once: agree in every order of requests, even if some die', async () => {
  const lives = fc.array(fc.oneof(fc.constant(FOREVER), fc.nat(12)), { minLength: 1, maxLength: 4 });
  let contested = 0;
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), lives, async (scheduler, dying) => {
      const objects = new Map<string, Uint8Array>();
      const schedule = (name: string) => scheduler.schedule(Promise.resolve(), name).then(() => {});
      const asked = [FOREVER, ...dying].map((life) =>
        nameStore(new ScheduledObjects(objects, schedule, life), () => schedule('pause')).catch(() => 'dead'),
      );
      await scheduler.waitFor(Promise.all(asked));
      const names = (await Promise.all(asked)).filter((name) => name !== 'dead');
      expect(new Set(names).size).toBe(1);
      // A later process finds the same name.
      const later = nameStore(new ScheduledObjects(objects, async () => {}, FOREVER), async () => {});
      expect(await later).toBe(names[0]);
      if ([...objects.keys()].some((key) => key.startsWith('store-id.votes/2/'))) contested += 1;
    }),
    { numRuns: 500 },
  );
  // Schedules that take more than one round.
  expect(contested).toBeGreaterThan(50);
});
