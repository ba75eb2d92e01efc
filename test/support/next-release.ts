import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { MIGRATIONS } from '#storage/migrations/migration-files.ts';

/** Migrations by name, without `.sql`. */
export type Migrations = Readonly<Record<string, string>>;

/** What a next release may do to hot tables: a column, an index and a constraint, each in its own file. */
export const NEXT_MIGRATIONS: Migrations = {
  '9000-next-column':
    "-- kind: expand\nalter table jobs add column next_release text not null default 'new';\n",
  '9001-next-index':
    '-- kind: expand, outside a transaction\ncreate index concurrently if not exists slices_next on slices (state, job_id);\n',
  '9002-next-check':
    '-- kind: expand\nalter table slices add constraint next_check check (n >= 0) not valid;\n',
};

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

/**
 * Makes a checkout of an imagined next release: these sources with further migrations. Returns its `rowpress` command.
 */
export function nextRelease(added: Migrations): { readonly rowpress: string; readonly migrations: string } {
  const root = mkdtempSync(join(tmpdir(), 'rp-next-release-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const checkout = fileURLToPath(new URL('../../', import.meta.url));
  for (const part of ['bin', 'src', 'migrations', 'docs/errors.json', 'docs/openapi.json', 'package.json'])
    cpSync(join(checkout, part), join(root, part), { recursive: true });
  for (const part of ['node_modules', 'fonts', 'build', 'clients', 'web', 'dist'])
    if (existsSync(join(checkout, part))) symlinkSync(join(checkout, part), join(root, part));
  const migrations = join(root, 'migrations');
  addMigrations(migrations, added);
  return { rowpress: join(root, 'bin', 'rowpress'), migrations };
}
