import { measureFailedJobs, measureFailingDeliveries } from '#storage/console/failing-work.ts';
import { countCollections, listItems } from '#storage/console/ingest-overview.ts';
import { listAllJobs } from '#storage/console/jobs.ts';
import { listDeliveries } from '#storage/console/list-deliveries.ts';
import { findRequestKeys } from '#storage/console/request-key-records.ts';
import { listDailyUsage, sumQuota } from '#storage/console/usage.ts';
import type { Db } from '#storage/database.ts';
import { measureDatabase } from '#storage/observe.ts';
import { listSubscribers } from '#storage/subscribers/people.ts';
import { accountId, PARTNERS } from './rows.ts';

const DAY_MS = 86_400_000;
const LIMIT = 50;
const firstPage = { limit: LIMIT, after: undefined };

/** What the pages of the console read from the database, by name. */
export function pages(db: Db, now: Date): readonly [name: string, read: () => Promise<unknown>][] {
  const account = accountId(3);
  const ago = (days: number) => new Date(now.getTime() - days * DAY_MS);
  const people = (query: string) => () => listSubscribers(db, account, { query }, firstPage, now);
  return [
    ['jobs, first page', () => listAllJobs(db, { limit: LIMIT })],
    [
      'jobs, page of 15 days ago, failed ones',
      () =>
        listAllJobs(db, {
          state: 'failed',
          after: { createdAt: ago(15), id: accountId(0) },
          limit: LIMIT,
        }),
    ],
    ['jobs, search by key', () => listAllJobs(db, { search: { text: 'key-4711', ids: [] }, limit: LIMIT })],
    ['webhooks, first page', () => listDeliveries(db, { limit: LIMIT })],
    ['webhooks, given up (none)', () => listDeliveries(db, { state: 'exhausted', limit: LIMIT })],
    ['webhooks, type (none)', () => listDeliveries(db, { eventType: 'item.unknown', limit: LIMIT })],
    [
      'request key',
      () => findRequestKeys(db, { key: 'key-4711', surface: undefined, accountId: undefined, now }),
    ],
    [
      'usage of 30 days, all accounts',
      () => listDailyUsage(db, { accountId: undefined, firstDay: ago(29), days: 30 }),
    ],
    ['quota of the month', () => sumQuota(db, account, now.toISOString().slice(0, 7))],
    ['health: database and blobs', () => measureDatabase(db)],
    [
      'health: failing work',
      () => Promise.all([measureFailingDeliveries(db, ago(1)), measureFailedJobs(db, ago(1))]),
    ],
    [
      'ingest, counts of all collections',
      () =>
        countCollections(
          db,
          Array.from({ length: PARTNERS }, (_, i) => i + 1),
          [1],
        ),
    ],
    [
      'ingest, items by prefix',
      () =>
        listItems(db, { partnerNo: 4, collection: 1, prefix: 'item-0000', after: undefined, limit: LIMIT }),
    ],
    ['people, first page', () => listSubscribers(db, account, {}, firstPage, now)],
    ['people, search by beginning', people('person1003')],
    ['people, search without a match', people('nobody@')],
  ];
}
