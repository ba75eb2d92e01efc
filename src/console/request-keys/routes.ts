import { z } from 'zod';
import {
  type FoundRequestKey,
  findRequestKeys,
  listConflicts,
} from '#storage/console/request-key-records.ts';
import { accountFilter } from '../accounts/find-named-account.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { foundRequestKeys } from '../contract/request-keys.ts';
import type { OperatorApp } from '../operator-app.ts';
import { searchText } from '../page.ts';
import { shortDigests } from './short-digests.ts';

const keyQuery = (surfaces: readonly string[]) =>
  z.object({
    key: searchText.min(1),
    surface: z.enum(surfaces).optional(),
    account: z.string().optional(),
  });

/** The idempotency inspector: the first request of a key, its expiry, and the requests that were rejected because of it. */
export function requestKeyRoutes(app: OperatorApp, { db, clock, views, keyKinds }: ConsoleParts): void {
  app.get(
    '/request-keys',
    {
      config: { needs: 'view-data' },
      schema: { querystring: keyQuery(keyKinds.surfaces), response: { 200: foundRequestKeys } },
    },
    async (request) => {
      const { key, surface, account } = request.query;
      const accountId = await accountFilter(db, request, account);
      const [found, conflicts] = await Promise.all([
        findRequestKeys(db, { key, surface, accountId, now: clock.now() }),
        listConflicts(db, { key, accountId }),
      ]);
      const shown = conflicts.filter((conflict) => surface === undefined || conflict.surface === surface);
      return {
        items: found.map((record) => showKey(record, views)),
        conflicts: shown.map(({ account_name, surface, request_id, differs_in, at }) => ({
          at: at.toISOString(),
          account: account_name,
          surface,
          request_id,
          differs_in,
        })),
        next_cursor: null,
      };
    },
  );
}

/** `name.export` and `name:partner` → `name`. */
const surfaceOfScope = (scope: string) => scope.split(/[.:]/, 1)[0] ?? scope;

function showKey(record: FoundRequestKey, views: ConsoleParts['views']) {
  const { job_id: id, job_kind: kind, job_state: state, response_status: status } = record;
  return {
    key: record.key,
    surface: surfaceOfScope(record.scope),
    scope: record.scope,
    account: record.account_name,
    job: id === null || kind === null ? null : { id, public_id: views.publicId(kind, id), kind, state },
    response: status === null ? null : { status, media_type: record.response_type },
    first_request_id: record.first_request_id,
    created_at: record.claimed_at.toISOString(),
    expires_at: record.expires_at.toISOString(),
    body_parts: shortDigests(record.body_parts ?? {}),
  };
}
