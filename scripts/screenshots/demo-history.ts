import type { Clock } from '#lib/clock.ts';
import type { ConsoleClient } from '../../test/support/console-client.ts';
import {
  type DemoData,
  guests,
  makeAccounts,
  makeDemoData,
  sealDemoPackage,
  sendJob,
} from '../../test/support/demo-data.ts';

const DAY_MS = 86_400_000;
const DAYS = 24;

/** A clock that starts some weeks ago and moves to the present while the history is created. */
export class RunningClock implements Clock {
  #behindMs = DAYS * DAY_MS;

  now(): Date {
    return new Date(Date.now() - this.#behindMs);
  }

  nextDay(): void {
    this.#behindMs = Math.max(0, this.#behindMs - DAY_MS);
  }
}

/** Creates some work for each day, less at weekends, and everything else today. */
export async function makeDemoHistory(operator: ConsoleClient, clock: RunningClock): Promise<DemoData> {
  const keys = await makeAccounts(operator);
  const doqlo = await sealDemoPackage(operator);
  for (let day = 0; day < DAYS; day += 1) {
    clock.nextDay();
    // A session without a request for a week would end.
    await operator.get('/session');
    const weekday = clock.now().getUTCDay();
    const jobs = weekday === 0 || weekday === 6 ? 1 : 2 + (day % 3);
    for (let n = 0; n < jobs; n += 1) {
      const rows = guests(30 + ((day * 53 + n * 29) % 170));
      await sendJob(operator.url, keys.bulkfill, doqlo, n === 1 ? rows.map(spoilSome) : rows);
    }
  }
  return makeDemoData(operator, keys);
}

const spoilSome = (row: object, index: number) => (index % 17 === 5 ? { ...row, column_0: {} } : row);
