import { z } from 'zod';
import { isUuid } from '#lib/ids.ts';
import { listAllJobs, searchAccounts, searchKeys } from '#storage/console/jobs.ts';
import { type ListedDelivery, listDeliveries } from '#storage/console/list-deliveries.ts';
import { findRequestKeys, listConflicts } from '#storage/console/request-key-records.ts';
import { readOnly } from '#storage/read-replica.ts';
import { rolesWith } from '../access/roles.ts';
import { onlyAccount } from '../access/signed-in-person.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { type SearchHit, searchHits } from '../contract/search.ts';
import { surfaceOf } from '../job-views.ts';
import { seenSurfaces, seesData } from '../jobs/seen-surfaces.ts';
import type { OperatorApp } from '../operator-app.ts';
import { searchText } from '../page.ts';
import { getOperator } from '../session/session-guard.ts';

const HITS_PER_TYPE = 10;
/** A key, `<prefix><public id>.<secret>`: the secret is cut off before the search. */
const KEY_TEXT = /^(?:[a-z]+_)*([A-Za-z0-9]{16})(?:\.\w*)?$/;

/** Search for jobs (by id, request id, request key or error), deliveries, request keys, keys and accounts. */
export function searchRoutes(app: OperatorApp, parts: ConsoleParts): void {
  const schema = { querystring: z.object({ q: searchText }), response: { 200: searchHits } };
  app.get('/search', { config: { needs: 'view-runs' }, schema }, async (request) => {
    const text = request.query.q.trim();
    if (text === '') return { hits: [] };
    const { role } = getOperator(request);
    const accountId = onlyAccount(request);
    const search = { text, accountId };
    const surfaces = seenSurfaces(request, parts);
    // Finds only what the role can open.
    const groups = await readOnly(parts.db, (db) => {
      const reader = { ...parts, db };
      return Promise.all([
        findJobs(reader, { ...search, surfaces }),
        ...(seesData(request) ? [findDeliveries(reader, search), findKeysOfRequests(reader, search)] : []),
        ...(rolesWith.inspect.includes(role) ? [findKeys(reader, text), findAccounts(reader, text)] : []),
      ]);
    });
    return { hits: groups.flat() };
  });
}

interface Search {
  readonly text: string;
  /** Undefined: all accounts. */
  readonly accountId: string | undefined;
}

async function findJobs(
  { db, views }: ConsoleParts,
  { text, ...limited }: Search & { readonly surfaces: readonly string[] | undefined },
): Promise<SearchHit[]> {
  const search = { text, ids: views.idParts(text) };
  const jobs = await listAllJobs(db, { search, ...limited, limit: HITS_PER_TYPE });
  return jobs.slice(0, HITS_PER_TYPE).map((job) => ({
    type: 'job',
    id: job.id,
    title: views.publicId(job.kind, job.id),
    subtitle: [surfaceOf(job.kind), job.account_name, job.error_code ?? job.state].join(' · '),
    path: `/console/jobs/${job.id}`,
  }));
}

async function findDeliveries({ db }: ConsoleParts, { text, accountId }: Search): Promise<SearchHit[]> {
  if (!isUuid(text)) return [];
  const found = await Promise.all([
    listDeliveries(db, { id: text, accountId, limit: 1 }),
    listDeliveries(db, { eventId: text, accountId, limit: HITS_PER_TYPE }),
  ]);
  return found.flat().map((delivery: ListedDelivery) => ({
    type: 'delivery',
    id: delivery.id,
    title: delivery.event_type,
    subtitle: `${delivery.account_name} · ${delivery.state} · ${delivery.target_url}`,
    path: `/console/deliveries/${delivery.id}`,
  }));
}

async function findKeysOfRequests(
  { db, clock }: ConsoleParts,
  { text, accountId }: Search,
): Promise<SearchHit[]> {
  const [keys, conflicts] = await Promise.all([
    findRequestKeys(db, { key: text, surface: undefined, accountId, now: clock.now() }),
    listConflicts(db, { requestId: text, accountId }),
  ]);
  const hit = (key: string, subtitle: string): SearchHit => ({
    type: 'request_key',
    id: key,
    title: key,
    subtitle,
    path: `/console/request-keys?key=${encodeURIComponent(key)}`,
  });
  return [
    ...keys.map(({ key, scope, account_name }) => hit(key, `${scope} · ${account_name}`)),
    ...conflicts.map(({ key, surface, account_name }) => hit(key, `409 · ${surface} · ${account_name}`)),
  ].slice(0, HITS_PER_TYPE);
}

async function findKeys({ db }: ConsoleParts, text: string): Promise<SearchHit[]> {
  const publicId = KEY_TEXT.exec(text)?.[1];
  if (publicId === undefined) return [];
  return (await searchKeys(db, publicId)).map(({ id, name, detail }) => ({
    type: 'key',
    id,
    title: name || id,
    subtitle: detail,
    path: `/console/keys?key=${encodeURIComponent(id)}`,
  }));
}

async function findAccounts({ db }: ConsoleParts, text: string): Promise<SearchHit[]> {
  return (await searchAccounts(db, text, HITS_PER_TYPE)).map(({ id, name, detail }) => ({
    type: 'account',
    id,
    title: name,
    subtitle: detail,
    path: `/console/accounts?account=${encodeURIComponent(name)}`,
  }));
}
