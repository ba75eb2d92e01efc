import type { RouteOptions } from 'fastify';
import type { Scope } from '../http/scopes.ts';
import { SCOPES } from '../key-kind.ts';

/** A route in the capabilities list. Routes are collected when they are registered, so the list is always complete. */
export interface Operation {
  readonly operation_id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly resource: string;
  readonly required_scopes: readonly Scope[];
}

interface DescribedSchema {
  readonly operationId?: string;
  readonly summary?: string;
  readonly tags?: readonly string[];
}

/** Undefined for routes that do not use a key (pages, presigned links). */
export function operationOf(route: RouteOptions): Operation | undefined {
  const { operationId, summary = '', tags } = (route.schema ?? {}) as DescribedSchema;
  const scopes = route.config?.scopes;
  const [resource] = tags ?? [];
  if (operationId === undefined || scopes === undefined || resource === undefined) return undefined;
  const method = [route.method].flat()[0] ?? 'GET';
  if (method === 'HEAD') return undefined;
  return {
    operation_id: operationId,
    method,
    path: route.url.replaceAll(/:([a-z_]+)/g, '{$1}'),
    summary,
    resource,
    required_scopes: SCOPES.filter((scope) => scopes.includes(scope)),
  };
}

/** Returns the operations that this key may call, by resource. */
export function resourcesFor(operations: readonly Operation[], held: readonly Scope[]) {
  const has = new Set(held);
  const allowed = operations.filter(({ required_scopes }) =>
    required_scopes.every((scope) => has.has(scope)),
  );
  return [...Map.groupBy(allowed, ({ resource }) => resource)].map(([name, list]) => ({
    key: name.toLowerCase().replaceAll(' ', '_'),
    name,
    operations: list.map(({ resource: _resource, ...operation }) => operation),
  }));
}
