import { OperatorError } from '../lib/errors/operator-error.ts';
import type { Db } from '../storage/database.ts';
import { claimMark } from '../storage/installation/claim-mark.ts';

/**
 * What every node of one installation must share. The first node writes the fingerprints into the database;
 * a later one that differs would store files where the others do not look, or seal what they cannot open, so
 * it refuses to start and says which setting is different.
 */
export interface InstallationMarks {
  readonly blobStore: string;
  readonly secretKey: string;
  readonly sealKey: string;
}

const settings: Readonly<Record<keyof InstallationMarks, { name: string; variable: string; what: string }>> =
  {
    blobStore: { name: 'blob_store', variable: 'ROWPRESS_BLOBS', what: 'blob store' },
    secretKey: { name: 'secret_key', variable: 'ROWPRESS_SECRET_KEY', what: 'secret key' },
    sealKey: { name: 'seal_key', variable: 'ROWPRESS_SEAL_KEY', what: 'seal key' },
  };

/** All differences at once. */
export async function joinInstallation(db: Db, marks: InstallationMarks): Promise<void> {
  const differing: string[] = [];
  for (const [key, { name, variable, what }] of Object.entries(settings)) {
    const own = marks[key as keyof InstallationMarks];
    if ((await claimMark(db, name, own)) !== own)
      differing.push(
        `its ${what} is not the one this database was first used with; set ${variable} to that one`,
      );
  }
  if (differing.length === 0) return;
  throw new OperatorError(
    `This node does not belong to the installation of its database: ${differing.join('; ')}. ` +
      'All nodes of one installation share them; a restored installation needs the files of its data directory too.',
  );
}
