import type { Clock } from '#lib/clock.ts';
import type { Ids } from '#lib/ids.ts';
import { forgetReader, noteReader } from '#storage/artifacts.ts';
import type { Db } from '#storage/database.ts';

export interface HoldParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** Well inside the ten minutes after which a silent reader counts as gone. */
const SIGN_MS = 60_000;

/**
 * Passes a stream of an artifact on and keeps the artifact from being purged while it runs, also past the end of its
 * delivery. A short download costs nothing: the first sign is given after a minute, long before any purge could be due.
 */
export async function* holdArtifact<T>(
  parts: HoldParts,
  artifactId: string,
  stream: AsyncGenerator<T>,
): AsyncGenerator<T> {
  const id = parts.ids.uuid();
  let noted: Promise<void> | undefined;
  const timer = setInterval(() => {
    // A sign that cannot be given now is given a minute later.
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
