import { sql } from 'kysely';
import { OperatorError } from '#lib/errors/operator-error.ts';
import type { Db } from '../database.ts';
import { listMigrationNames } from './migration-files.ts';

/** What has run on a database, compared with what this release contains. */
export interface SchemaState {
  /** Migrations that have run, including those of a newer release. */
  readonly done: readonly string[];
  readonly pending: readonly string[];
  /** Migrations of a newer release. */
  readonly newer: readonly string[];
  /** Says why this release must not use the database; undefined if it may. */
  readonly refusal: string | undefined;
}

export async function readSchemaState(db: Db, directory: string): Promise<SchemaState> {
  const [known, { done, minimum }] = await Promise.all([listMigrationNames(directory), readRecords(db)]);
  const ran = new Set(done);
  const pending = known.filter((name) => !ran.has(name));
  const newer = done.filter((name) => !known.includes(name));
  return { done, pending, newer, refusal: findRefusal({ known, done, pending, newer, minimum }) };
}

/** Throws if this release must not use the database. */
export function requireCompatible({ refusal }: SchemaState): void {
  if (refusal !== undefined) throw new OperatorError(refusal);
}

interface Records {
  readonly done: readonly string[];
  readonly minimum: string | undefined;
}

async function readRecords(db: Db): Promise<Records> {
  const { rows: tables } = await sql<{ migrations: boolean; minimum: boolean }>`
    select to_regclass('kysely_migration') is not null as migrations,
           to_regclass('schema_minimum') is not null as minimum`.execute(db);
  const [exists] = tables;
  const { rows: done } = exists?.migrations
    ? await sql<{ name: string }>`select name from kysely_migration order by name collate "C"`.execute(db)
    : { rows: [] };
  const minimum = exists?.minimum
    ? await db.selectFrom('schema_minimum').select('version').executeTakeFirst()
    : undefined;
  return { done: done.map(({ name }) => name), minimum: minimum?.version };
}

function findRefusal({
  known,
  done,
  pending,
  newer,
  minimum,
}: Omit<SchemaState, 'refusal'> & Records & { readonly known: readonly string[] }): string | undefined {
  const own = known.at(-1) ?? '';
  const last = done.at(-1) ?? '';
  // Names start with four digits, so their order is that of the text.
  if (newer.length > 0 && minimum !== undefined && own < minimum)
    return (
      `This release is too old for the database: its schema version is ${own}, the database has ${last}, ` +
      `and the oldest that may run on it is ${minimum}. Install the release of the other nodes.`
    );
  const [gap] = pending;
  if (gap !== undefined && gap < last)
    return (
      `The database was migrated by another line of releases: it has ${last}, but lacks ${gap}, which this release ` +
      `contains (its schema version is ${own}). Install the release that migrated it, or a later one.`
    );
  return undefined;
}
