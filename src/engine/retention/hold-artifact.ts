import type { Clock } from '#lib/clock.ts';
import type { Ids } from '#lib/ids.ts';
import { forgetReader, noteReader } from '#storage/artifacts.ts';
import type { Db } from '#storage/database.ts';

export interface HoldParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** Well below the ten minutes after which a silent reader counts as gone. */
const SIGN_MS = 60_000;

/**
 * Passes the stream of an artifact through and keeps the artifact from being purged meanwhile, even after its delivery
 * has expired. A short download costs nothing: the first record is written after a minute, long before any purge.
 */
export async function* holdArtifact<T>(
  parts: HoldParts,
  artifactId: string,
  stream: AsyncGenerator<T>,
): AsyncGenerator<T> {
  const id = parts.ids.uuid();
  let noted: Promise<void> | undefined;
  const timer = setInterval(() => {
    // If it fails, the next one follows a minute later.
    noted = noteReader(parts.db, id, artifactId, parts.clock.now()).catch(() => {});
  }, SIGN_MS);
  try {
    yield* stream;
  } finally {
    clearInterval(timer);
    await noted;
    if (noted !== undefined) await forgetReader(parts.db, id).catch(() => {});
  }
}
