import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { MIGRATIONS } from '#storage/migrations/migration-files.ts';

/** Migrations by name, without `.sql`. */
export type Migrations = Readonly<Record<string, string>>;

/** Makes a folder with the migrations of this release and those of an imagined next one. */
export function migrationsOfNextRelease(added: Migrations): string {
  const folder = mkdtempSync(join(tmpdir(), 'rp-migrations-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(MIGRATIONS, folder, { recursive: true });
  addMigrations(folder, added);
  return folder;
}

export function addMigrations(folder: string, added: Migrations): void {
  for (const [name, text] of Object.entries(added)) writeFileSync(join(folder, `${name}.sql`), text);
}
