import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const MIGRATIONS = fileURLToPath(new URL('../../../migrations/', import.meta.url));

/** One file of `migrations/`. Its first line says what it needs (migrations/README.md). */
export interface MigrationFile {
  readonly name: string;
  readonly text: string;
  /** The oldest schema version that may run on the schema after this migration; undefined if it excludes no node. */
  readonly minimum: string | undefined;
  /** False for statements that PostgreSQL rejects in a transaction (`create index concurrently`). */
  readonly inTransaction: boolean;
}

export type MigrationHeader = Pick<MigrationFile, 'minimum' | 'inTransaction'>;

const HEADER =
  /^-- kind: (?:expand(?<outside>, outside a transaction)?|contract, minimum (?<minimum>\d{4}-[a-z0-9-]+))$/;

/** Reads the header of a migration. Returns undefined if the first line is not one. */
export function readHeader(text: string): MigrationHeader | undefined {
  const groups = HEADER.exec(text.split('\n', 1)[0] ?? '')?.groups;
  return groups && { minimum: groups.minimum, inTransaction: groups.outside === undefined };
}

/** Lists the names of the migrations in order. The last one is the schema version of this release. */
export async function listMigrationNames(directory: string): Promise<string[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.sql')).sort();
  return names.map((name) => name.slice(0, -'.sql'.length));
}

/** Reads one migration. Files from before 0080 have no header; 0086 declares the minimum for them. */
export async function readMigrationFile(directory: string, name: string): Promise<MigrationFile> {
  const text = await readFile(join(directory, `${name}.sql`), 'utf8');
  const header = readHeader(text) ?? { minimum: undefined, inTransaction: true };
  return { name, text, ...header };
}
