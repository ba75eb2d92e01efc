import { mkdir, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { OperatorError } from '#lib/errors/operator-error.ts';
import { makeFolders } from '#lib/make-folders.ts';
import type { ExportVault } from './export-vault.ts';

/**
 * An exported installation is a directory:
 *
 *   manifest.json        the list of contents; written last, so a directory without it is not an export
 *   tables/<name>.copy   the rows, in PostgreSQL's text format
 *   blobs/ab/abcd…       the blobs, in the layout of the disk store
 *   keys/secret.key …    the secrets of the data directory
 *
 * With a passphrase, `encryption.json` is written first and every other file is encrypted (export-cipher.ts).
 */
export const manifestSchema = z.object({
  format: z.literal('rowpress.export'),
  version: z.literal(1),
  created_at: z.iso.datetime(),
  migrations: z.array(z.string()).min(1),
  tables: z.array(
    z.object({
      name: z.string().regex(/^[a-z][a-z0-9_]*$/),
      columns: z.array(z.string()),
      rows: z.int().min(0),
    }),
  ),
  blobs: z.int().min(0),
  key_files: z.array(z.enum(['secret.key', 'seal.key'])),
});
export type ExportManifest = z.infer<typeof manifestSchema>;

/** Secrets that are in the data directory unless they are configured. */
export const KEY_FILES = ['secret.key', 'seal.key'] as const;

export const tableFile = (name: string) => `tables/${name}.copy`;
export const keyFile = (name: string) => `keys/${name}`;
export const blobsOf = (directory: string) => join(directory, 'blobs');
const MANIFEST = 'manifest.json';

/** Creates the directory with mode 0700, because it contains secrets and the data of all accounts. */
export async function makeExportDirectory(directory: string): Promise<void> {
  makeFolders(directory, 0o700);
  if ((await readdir(directory)).length > 0)
    throw new OperatorError(`${directory} is not empty. Export to a new or empty directory.`);
  for (const part of ['tables', 'keys']) await mkdir(join(directory, part), { mode: 0o700 });
}

export async function writeManifest(vault: ExportVault, manifest: ExportManifest): Promise<void> {
  await vault.write(MANIFEST, Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`));
}

export async function readManifest(vault: ExportVault): Promise<ExportManifest> {
  let json: unknown;
  try {
    json = JSON.parse((await vault.read(MANIFEST)).toString('utf8'));
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(
      `${vault.directory} is not a complete export: cannot read its ${basename(vault.pathOf(MANIFEST))} (${(error as Error).message}).`,
    );
  }
  const parsed = manifestSchema.safeParse(json);
  if (parsed.success) return parsed.data;
  throw new OperatorError(
    `${vault.pathOf(MANIFEST)} is not the manifest of an export that this release can read.`,
  );
}
