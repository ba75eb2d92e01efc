import { mkdir, open, readdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { OperatorError } from '../../lib/errors/operator-error.ts';
import { makeFolders } from '../../lib/make-folders.ts';

/**
 * An exported installation is a directory:
 *
 *   manifest.json        what is inside; written last, so a directory without it is no export
 *   tables/<name>.copy   the rows, in PostgreSQL's text format
 *   blobs/ab/abcd…       the blobs, laid out as the disk store does
 *   keys/secret.key …    the secrets of the data directory
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

/** Secrets that live in the data directory unless the configuration gives them. */
export const KEY_FILES = ['secret.key', 'seal.key'] as const;

export const tablesOf = (directory: string) => join(directory, 'tables');
export const blobsOf = (directory: string) => join(directory, 'blobs');
export const keysOf = (directory: string) => join(directory, 'keys');
const manifestOf = (directory: string) => join(directory, 'manifest.json');

/** Private, because it holds secrets and everybody's data. */
export async function makeExportDirectory(directory: string): Promise<void> {
  makeFolders(directory, 0o700);
  if ((await readdir(directory)).length > 0)
    throw new OperatorError(`${directory} is not empty. An export goes into a new or empty directory.`);
  for (const part of [tablesOf(directory), keysOf(directory)]) await mkdir(part, { mode: 0o700 });
}

export async function writeManifest(directory: string, manifest: ExportManifest): Promise<void> {
  const path = manifestOf(directory);
  const file = await open(`${path}.tmp`, 'w', 0o600);
  try {
    await file.writeFile(`${JSON.stringify(manifest, null, 2)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(`${path}.tmp`, path);
}

export async function readManifest(directory: string): Promise<ExportManifest> {
  let json: unknown;
  try {
    json = JSON.parse(await readFile(manifestOf(directory), 'utf8'));
  } catch (error) {
    throw new OperatorError(
      `${directory} is not a whole export: its manifest.json cannot be read (${(error as Error).message}).`,
    );
  }
  const parsed = manifestSchema.safeParse(json);
  if (parsed.success) return parsed.data;
  throw new OperatorError(`${manifestOf(directory)} is not the manifest of an export this release knows.`);
}
