import type { FastifyRequest } from 'fastify';
import { ACTING_PREFIX } from '#http/dialects/choose-dialect.ts';
import { onlyValue } from '#http/dialects/dialect-spec.ts';
import { type Principal, setPrincipal } from '#http/principal.ts';
import type { SurfaceSpec } from '#http/surface.ts';
import { ApiError, refuse } from '#lib/errors/api-error.ts';
import { type PublicDialect, shellCodes } from '#lib/errors/catalogue.ts';
import { getNamedAccount } from '../accounts/find-named-account.ts';
import { recordAction } from '../audit/record-action.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { createSessionGuard, findOperator, getOperator } from '../session/session-guard.ts';
import { actionName } from './action-name.ts';
import { readName } from './read-name.ts';

type ActingParts = Pick<ConsoleParts, 'db' | 'clock' | 'ids' | 'session' | 'onError'>;

/**
 * A surface a second time, for operators: the same plugin, so the same routes, limits and answers, behind another door.
 * Instead of a key it takes the session cookie and the name of the account that is acted for. Nothing of it is part of
 * the public contracts, so it is left out of the public document.
 */
export function actingSurface(
  spec: SurfaceSpec & { dialect: PublicDialect },
  parts: ActingParts,
): SurfaceSpec {
  const surface = spec.dialect;
  const prefix = `${ACTING_PREFIX}/${surface}`;
  const guardSession = createSessionGuard(parts.session, { everyRoute: true });
  return {
    dialect: surface,
    prefix,
    plugin: async (app, { guards, shutdown }) => {
      app.addHook('onRoute', (route) => {
        route.schema = { ...route.schema, hide: true };
      });
      app.addHook('onRequest', guardSession);
      app.addHook('onRequest', async (request) =>
        setPrincipal(request, await actFor(parts, request, surface)),
      );
      // Before the response is sent: the next read of the audit log finds it.
      app.addHook('onSend', async (request, reply) => {
        if (reply.statusCode >= 400 || findOperator(request) === undefined) return;
        const route = (request.routeOptions.url ?? '').slice(prefix.length);
        const action = isRead(request)
          ? readName(surface, request.method, route)
          : actionName(surface, request.method, route);
        if (action === undefined) return;
        const accountId = actedFor.get(request);
        const written = recordAction(parts, request, {
          action,
          target: targetOf(request, prefix),
          ...(accountId && { accountId }),
        });
        // A change has happened already, but what cannot be audited is not shown.
        await (isRead(request) ? written : written.catch(parts.onError));
      });
      const behindThisDoor = { ...guards, requireKey: () => async () => {} };
      await app.register(spec.plugin, { guards: behindThisDoor, shutdown });
    },
  };
}

const actedFor = new WeakMap<FastifyRequest, string>();

/** The path without its query. A token in it is a secret and stays out, because every operator can read the audit log. */
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

const isRead = ({ method }: FastifyRequest) => method === 'GET' || method === 'HEAD';

async function actFor(
  parts: ActingParts,
  request: FastifyRequest,
  surface: PublicDialect,
): Promise<Principal> {
  const named = parameter(request, 'account');
  if (named === undefined)
    throw refuse('console', 'ACCOUNT_REQUIRED', 'Name the account in the header x-rowpress-account.', {
      members: { field: 'x-rowpress-account' },
    });
  const account = await getNamedAccount(parts.db, named);
  // What an inactive account has can be looked at, but it starts nothing new.
  if (!account.active && !isRead(request)) throw new ApiError(surface, shellCodes.accountInactive[surface]);
  actedFor.set(request, account.id);
  return {
    accountId: account.id,
    accountName: account.name,
    plan: account.plan,
    keyId: `operator:${getOperator(request).operatorId}`,
    scopes: ['*'],
    partnerId: surface === 'ingest' ? (parameter(request, 'partner') ?? account.name) : null,
    warehouses: null,
  };
}

/** From its header; where a browser opens an address by itself (a download, an event stream), from the query. */
function parameter(request: FastifyRequest, name: 'account' | 'partner'): string | undefined {
  const header = onlyValue(request.raw, `x-rowpress-${name}`);
  if (header !== undefined && header !== '') return decoded(header);
  const value = isRead(request) ? (request.query as Record<string, unknown>)[name] : undefined;
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Headers carry no letters beyond Latin-1, names may have any: they are sent percent-encoded (RFC 3986 section 2.1). */
function decoded(header: string): string {
  try {
    return decodeURIComponent(header);
  } catch {
    return header;
  }
}
