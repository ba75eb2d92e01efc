import { OperatorError } from '#lib/errors/operator-error.ts';
import type { Db } from '#storage/database.ts';
import { claimMark, listReplacedKeys, type ReplacedKey } from '#storage/installation.ts';

/**
 * The values that all nodes of one installation must share. The first node stores the fingerprints in the database. A
 * node that differs would store files where the others do not look, or seal values that they cannot open. It does not
 * start, and names the setting that differs.
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

/** Secrets that a node has besides its current keys. */
export interface EarlierKeys {
  /** Fingerprints of every secret that the node can open values with. */
  readonly secrets: readonly string[];
}

/**
 * Compares this node with its installation and reports all differences at once. Returns the public keys of replaced
 * seal keys that are not retired.
 */
export async function joinInstallation(
  db: Db,
  marks: InstallationMarks,
  earlier: EarlierKeys = { secrets: [] },
): Promise<{ readonly earlierSeals: readonly string[] }> {
  const replaced = await listReplacedKeys(db);
  const differing: string[] = [];
  for (const [key, { name, variable, what }] of Object.entries(settings)) {
    const own = marks[key as keyof InstallationMarks];
    const kept = await claimMark(db, name, own);
    if (kept === own) continue;
    const former = replaced.find(({ kind, fingerprint }) => kind === name && fingerprint === own);
    if (former !== undefined)
      differing.push(
        `its ${what} was replaced at ${former.replaced_at.toISOString()}; set ${variable} to the new one`,
      );
    else if (name === 'secret_key' && earlier.secrets.includes(kept))
      differing.push(
        `its ${what} is new to this database; run \`rowpress secrets rotate\` with the same ${variable} and ${variable}_PREVIOUS first`,
      );
    else
      differing.push(
        `its ${what} differs from the one that this database was first used with; set ${variable} to that one`,
      );
  }
  differing.push(...missingSecrets(replaced, marks, earlier));
  if (differing.length === 0) {
    const seals = replaced.filter(({ kind, retired_at }) => kind === 'seal_key' && retired_at === null);
    return { earlierSeals: seals.map(({ fingerprint }) => fingerprint) };
  }
  throw new OperatorError(
    `This node does not belong to the installation of its database: ${differing.join('; ')}. ` +
      'All nodes of one installation must share these values. A restored installation also needs the files of its data directory.',
  );
}

/**
 * Lists replaced secrets that this node lacks. It could not open values that another node sealed with them before its
 * restart.
 */
function missingSecrets(
  replaced: readonly ReplacedKey[],
  marks: InstallationMarks,
  earlier: EarlierKeys,
): string[] {
  return replaced
    .filter(({ kind, retired_at }) => kind === 'secret_key' && retired_at === null)
    .filter(({ fingerprint }) => fingerprint !== marks.secretKey && !earlier.secrets.includes(fingerprint))
    .map(
      ({ fingerprint, replaced_at }) =>
        `it lacks the secret key ${fingerprint}, which was replaced at ${replaced_at.toISOString()} and is not retired; add it to ROWPRESS_SECRET_KEY_PREVIOUS, or run \`rowpress secrets retire\``,
    );
}
