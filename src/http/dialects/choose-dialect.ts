import type { Dialect } from '#lib/errors/catalogue.ts';
import { bulkfill } from './bulkfill.ts';
import { operatorConsole } from './console.ts';
import type { DialectSpec } from './dialect-spec.ts';
import { ingest } from './ingest.ts';
import { subscribers } from './subscribers.ts';

/** Where an operator acts for an account, a surface keeps its own language. */
export const ACTING_PREFIX = `${operatorConsole.prefix}/acting`;

/** Longest prefix first. */
const byPrefix: readonly (readonly [string, DialectSpec])[] = [
  [`${ACTING_PREFIX}/bulkfill`, bulkfill],
  [`${ACTING_PREFIX}/subscribers`, subscribers],
  [`${ACTING_PREFIX}/ingest`, ingest],
  [operatorConsole.prefix, operatorConsole],
  [bulkfill.prefix, bulkfill],
  [ingest.prefix, ingest],
  [subscribers.prefix, subscribers],
];

export const dialects: Readonly<Record<Dialect, DialectSpec>> = {
  bulkfill,
  subscribers,
  ingest,
  console: operatorConsole,
};

/** Pages that belong to no surface (`/`, `/metrics`, …) answer with the flat envelope. */
export function chooseDialect(url: string): DialectSpec {
  const path = pathOf(url);
  const found = byPrefix.find(([prefix]) => path === prefix || path.startsWith(`${prefix}/`));
  return found?.[1] ?? bulkfill;
}

export function pathOf(url: string): string {
  const end = url.search(/[?#;]/);
  return end === -1 ? url : url.slice(0, end);
}
