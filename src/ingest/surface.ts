import type { AnyJobKind } from '#engine/job-kind.ts';
import type { ExpiryWarning } from '#engine/keys/warn-expiring.ts';
import type { SurfaceSpec } from '#http/surface.ts';
import type { Chore } from '#lib/ticker.ts';
import type { Tx } from '#storage/database.ts';
import { archiveHistory } from '#storage/ingest/items.ts';
import type { IngestParts, LoadParts } from './ingest-parts.ts';
import { createSelectRows, type SelectRows } from './items/select-rows.ts';
import { createLoadKind } from './loads/load-kind.ts';
import { AutoRedrive } from './quarantine/auto-redrive.ts';
import { ingestSurface } from './routes.ts';
import { announceExpiringKey } from './webhooks/announce-expiring-key.ts';

export interface IngestWork {
  readonly kinds: readonly AnyJobKind[];
  readonly chores: readonly Chore[];
  readonly selectRows: SelectRows;
  /** Sends the event of a key that expires soon. */
  announceExpiringKey(tx: Tx, key: ExpiryWarning): Promise<void>;
  /** The routes, once there is an engine (which needs the kinds first). */
  surface(routes: Pick<IngestParts, 'engine' | 'webhookAllow' | 'room'>): SurfaceSpec;
}

const ARCHIVE_BATCH = 10_000;

/** The ingest surface, built in two steps because kinds come before the engine and routes after it. */
export function createIngestSurface(
  deps: Omit<LoadParts, 'onAccepted'> & { readonly onError: (error: unknown) => void },
): IngestWork {
  const { settings, database, clock } = deps;
  const redrive = new AutoRedrive({ ...deps, onAccepted: () => {} }, deps.onError);
  const onAccepted = () => {
    if (settings.autoRedrive) redrive.nudge();
  };
  const parts: LoadParts = { ...deps, onAccepted };
  const archive = async () => {
    const before = new Date(clock.now().getTime() - settings.auditSeconds * 1000);
    let archived = ARCHIVE_BATCH;
    while (archived === ARCHIVE_BATCH) archived = await archiveHistory(database.db, before, ARCHIVE_BATCH);
  };
  return {
    kinds: [createLoadKind(parts)],
    chores: [
      { everyMs: 3_600_000, run: archive },
      ...(settings.autoRedrive ? [{ everyMs: 5_000, run: () => redrive.run() }] : []),
    ],
    selectRows: createSelectRows(database.db),
    announceExpiringKey: (tx, key) => announceExpiringKey(parts, tx, key),
    surface: (routes) => ingestSurface({ ...parts, ...routes }),
  };
}
