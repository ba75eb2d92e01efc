import type { FastifyRequest } from 'fastify';
import type { KeyKind } from '#engine/keys/key-kinds.ts';
import { type DialectSpec, onlyValue } from '#http/dialects/dialect-spec.ts';
import { type Principal, setPrincipal } from '#http/principal.ts';
import type { RouteGroup } from '#http/route-group.ts';
import { ApiError } from '#lib/errors/api-error.ts';
import { closeDueEntry, type DueEntry, settleDueEntry, withDueEntry } from '#storage/console/due-entry.ts';
import { NeedTable, type SurfaceNeeds } from '../access/declared-needs.ts';
import { rolesWith } from '../access/roles.ts';
import { getNamedAccount } from '../accounts/find-named-account.ts';
import { actionOf, type OperatorAction, recordAction } from '../audit/record-action.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { ACTING_PREFIX } from '../dialect.ts';
import { refuse } from '../errors.ts';
import { createSessionGuard, findOperator, getOperator } from '../session/session-guard.ts';
import { type AuditNames, auditName } from './audit-names.ts';

type ActingParts = Pick<ConsoleParts, 'db' | 'clock' | 'ids' | 'session' | 'onError'>;

/** What acting needs from a surface. */
export interface ActedSurface {
  readonly name: string;
  readonly dialect: DialectSpec;
  readonly keys: Pick<KeyKind, 'partnered'>;
  readonly audit: AuditNames;
  readonly needs: SurfaceNeeds;
}

export interface ActedRoutes {
  /** The public routes of the surface. */
  readonly api: RouteGroup;
  /** Routes that only operators have. */
  readonly actedRoutes?: RouteGroup['plugin'] | undefined;
}

/**
 * Registers the routes of a surface a second time, for operators: the same plugin, so the same routes, limits and responses.
 * Instead of a key they take the session cookie and the name of an account. They are not part of the public contract, so the
 * public document leaves them out.
 */
export function actingRoutes(
  surface: ActedSurface,
  { api, actedRoutes }: ActedRoutes,
  parts: ActingParts,
): RouteGroup {
  const prefix = `${ACTING_PREFIX}/${surface.name}`;
  const needs = new NeedTable(surface.name, surface.needs);
  const guardSession = createSessionGuard(parts.session);
  return {
    prefix,
    plugin: async (app, { guards, shutdown }) => {
      app.addHook('onRoute', (route) => {
        route.schema = { ...route.schema, hide: true };
        const need = needs.find([route.method].flat(), route.url.slice(prefix.length));
        route.config = { ...route.config, needs: need, public: false };
      });
      app.addHook('onRequest', guardSession);
      app.addHook('onRequest', async (request) =>
        setPrincipal(request, await actFor(parts, request, surface)),
      );
      const entryOf = (request: FastifyRequest): OperatorAction | undefined => {
        const route = (request.routeOptions.url ?? '').slice(prefix.length);
        const action = auditName(surface.name, surface.audit, request.method, route);
        const accountId = actedFor.get(request);
        if (action === undefined) return undefined;
        return { action, target: targetOf(request, prefix), ...(accountId && { accountId }) };
      };
      // Before the response is sent: the next read of the audit log finds it.
      app.addHook('onSend', async (request, reply, payload) => {
        const owed = owedBy.get(request);
        if (reply.statusCode >= 400 || findOperator(request) === undefined) {
          if (owed !== undefined) closeDueEntry(owed);
          return;
        }
        // The entry of a change was committed with it; this one is for a replay.
        if (owed !== undefined)
          await settleDueEntry(parts.db, owed, createdJob(request, payload) ?? null).catch(parts.onError);
        // A read that cannot be audited is not answered.
        const entry = isRead(request) ? entryOf(request) : undefined;
        if (entry !== undefined) await recordAction(parts, request, entry);
      });
      // Starts the context of the handler. The body has been read, so no other event starts one.
      app.addHook('preHandler', (request, _reply, done) => {
        const entry = isRead(request) ? undefined : entryOf(request);
        if (entry === undefined) return done();
        const owed = { action: actionOf(parts, request, entry), written: false };
        owedBy.set(request, owed);
        withDueEntry(owed, done);
      });
      const withoutKeys = { ...guards, requireKey: () => async () => {} };
      await app.register(api.plugin, { guards: withoutKeys, shutdown });
      if (actedRoutes !== undefined) await app.register(actedRoutes, { guards: withoutKeys, shutdown });
    },
  };
}

const actedFor = new WeakMap<FastifyRequest, string>();
const owedBy = new WeakMap<FastifyRequest, DueEntry>();

/** Returns the path without its query and without a token, which is a secret: every operator can read the audit log. */
function targetOf({ params, url, routeOptions }: FastifyRequest, prefix: string): string {
  const values = params as Readonly<Record<string, string>>;
  const shown =
    'token' in values
      ? (routeOptions.url ?? '').replace(/:(\w+)/g, (name, key) =>
          key === 'token' ? name : (values[key] ?? name),
        )
      : url;
  return shown.slice(prefix.length).replace(/\?.*$/s, '');
}

const MAX_ENVELOPE_BYTES = 10_000;

/** The id of the job that a write created, if its response names one. */
function createdJob({ url }: FastifyRequest, payload: unknown): { readonly job_id: string } | undefined {
  // A stored response is sent as bytes.
  const isBytes = Buffer.isBuffer(payload);
  if (!(isBytes || typeof payload === 'string') || payload.length > MAX_ENVELOPE_BYTES) return undefined;
  const text = isBytes ? payload.toString('utf8') : payload;
  if (!text.startsWith('{')) return undefined;
  const { job_id, data } = JSON.parse(text) as Record<string, unknown>;
  const id = job_id ?? (url.includes('/jobs/') ? (data as { id?: unknown } | undefined)?.id : undefined);
  return typeof id === 'string' ? { job_id: id } : undefined;
}

const isRead = ({ method }: FastifyRequest) => method === 'GET' || method === 'HEAD';

async function actFor(
  parts: ActingParts,
  request: FastifyRequest,
  { dialect, keys }: ActedSurface,
): Promise<Principal> {
  const named = parameter(request, 'account');
  if (named === undefined)
    throw refuse('ACCOUNT_REQUIRED', 'Name the account in the header x-rowpress-account.', {
      members: { field: 'x-rowpress-account' },
    });
  const account = await getNamedAccount(parts.db, request, named);
  // Operators may read what an inactive account has, but start nothing new.
  if (!account.active && !isRead(request))
    throw new ApiError(dialect.errors, dialect.errors.shell.accountInactive);
  actedFor.set(request, account.id);
  const { operatorId, operatorName, role } = getOperator(request);
  return {
    accountId: account.id,
    accountName: account.name,
    plan: account.plan,
    keyId: `operator:${operatorId}`,
    operator: { id: operatorId, name: operatorName },
    // Without scopes, stored rows of other surfaces cannot be read.
    scopes: rolesWith['view-data'].includes(role) ? ['*'] : [],
    partnerId: keys.partnered ? (parameter(request, 'partner') ?? account.name) : null,
    warehouses: null,
  };
}

/** Reads a header, or the query if the browser opens the address itself (a download, an event stream). */
function parameter(request: FastifyRequest, name: 'account' | 'partner'): string | undefined {
  const header = onlyValue(request.raw, `x-rowpress-${name}`);
  if (header !== undefined && header !== '') return decoded(header);
  const value = isRead(request) ? (request.query as Record<string, unknown>)[name] : undefined;
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Decodes a name: headers are limited to Latin-1, so names are sent percent-encoded (RFC 3986 section 2.1). */
function decoded(header: string): string {
  try {
    return decodeURIComponent(header);
  } catch {
    return header;
  }
}
