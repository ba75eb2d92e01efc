import type { Config } from '#config.ts';
import { ACTING_PREFIX, consoleDialect } from '#console/dialect.ts';
import { type DefaultDays, KeyKinds, readScope } from '#engine/keys/key-kinds.ts';
import type { WebhookSchemes } from '#engine/webhooks/webhook-scheme.ts';
import { Dialects } from '#http/dialects/dialects.ts';
import type { SurfaceSettings, SurfaceSpec } from '#surface.ts';

type Specs = readonly SurfaceSpec[];

/** The dialects of the surfaces and of the console, on the public paths and on those where operators act. */
export function dialectsOf(surfaces: Specs): Dialects {
  return new Dialects([
    ...surfaces.map(({ dialect }) => [dialect.prefix, dialect] as const),
    [consoleDialect.prefix, consoleDialect],
    ...surfaces.map(({ name, dialect }) => [`${ACTING_PREFIX}/${name}`, dialect] as const),
  ]);
}

/** The kinds of keys. A surface that reads rows has an optional scope for each surface that provides them. */
export function keyKindsOf(surfaces: Specs): KeyKinds {
  const readScopes = rowSurfaces(surfaces).map(readScope);
  const kinds = surfaces.map(({ name, keys, readsRows }) => {
    const optionalScopes = [...keys.optionalScopes, ...(readsRows === true ? readScopes : [])];
    return [name, { ...keys, optionalScopes }];
  });
  return new KeyKinds(Object.fromEntries(kinds));
}

/** Names of the surfaces whose stored rows others can read. */
export function rowSurfaces(surfaces: Specs): string[] {
  return surfaces.flatMap(({ name, providesRows }) => (providesRows === true ? [name] : []));
}

export function schemesOf(surfaces: Specs): WebhookSchemes {
  return new Map(surfaces.map(({ webhookScheme }) => [webhookScheme.name, webhookScheme]));
}

/** One value per surface, from its settings. */
export function perSurface<T>(
  surfaces: Specs,
  config: Config,
  pick: (settings: SurfaceSettings) => T,
): Readonly<Record<string, T>> {
  return Object.fromEntries(surfaces.map((surface) => [surface.name, pick(surface.settings(config))]));
}

export function defaultDaysOf(surfaces: Specs, config: Config): DefaultDays {
  return perSurface(surfaces, config, ({ keyDays }) => keyDays);
}
