import type { Dialect } from '../../lib/errors/catalogue.ts';
import { bulkfill } from './bulkfill.ts';
import type { DialectSpec } from './dialect-spec.ts';
import { ingest } from './ingest.ts';
import { subscribers } from './subscribers.ts';

/** Longest prefix first. */
const byPrefix: readonly DialectSpec[] = [bulkfill, ingest, subscribers];

export const dialects: Readonly<Record<Dialect, DialectSpec>> = { bulkfill, subscribers, ingest };

/** Pages that belong to no surface (`/`, `/metrics`, …) answer with the flat envelope. */
export function chooseDialect(url: string): DialectSpec {
  const path = pathOf(url);
  const found = byPrefix.find(({ prefix }) => path === prefix || path.startsWith(`${prefix}/`));
  return found ?? bulkfill;
}

export function pathOf(url: string): string {
  const end = url.search(/[?#;]/);
  return end === -1 ? url : url.slice(0, end);
}
