import type { AnyJobKind } from '#engine/job-kind.ts';
import type { ExpiryWarning } from '#engine/keys/warn-expiring.ts';
import type { RouteGroup } from '#http/route-group.ts';
import type { InstallationChore } from '#lib/ticker.ts';
import type { Tx } from '#storage/database.ts';
import { archiveHistory } from '#storage/ingest/items.ts';
import type { BuiltSurface, SurfaceParts } from '#surface.ts';
import { createSelectRows, type SelectRows } from './items/select-rows.ts';
import { ingestJobViews } from './job-views.ts';
import { ingestKinds } from './kind.ts';
import { Lookahead } from './loads/prepare-slice.ts';
import { ingestOperatorRoutes } from './operator-routes.ts';
import type { IngestKindParts, IngestParts } from './parts.ts';
import { AutoRedrive } from './quarantine/auto-redrive.ts';
import { ingestRoutes } from './routes.ts';
import { ingestRowSource } from './row-source.ts';
import { announceExpiringKey } from './webhooks/announce-expiring-key.ts';

export interface IngestWork {
  readonly kinds: readonly AnyJobKind[];
  readonly chores: readonly InstallationChore[];
  readonly selectRows: SelectRows;
  /** Sends the event of a key that expires soon. */
  announceExpiringKey(tx: Tx, key: ExpiryWarning): Promise<void>;
  routes(parts: Pick<IngestParts, 'engine' | 'webhookAllow' | 'room'>): RouteGroup;
}

const ARCHIVE_BATCH = 10_000;

/** Builds the parts that need no engine; `routes` adds the rest. */
export function createIngestWork(
  deps: Omit<IngestKindParts, 'onAccepted' | 'lookahead'> & { readonly onError: (error: unknown) => void },
): IngestWork {
  const { settings, database, clock } = deps;
  const lookahead = new Lookahead(deps);
  const redrive = new AutoRedrive({ ...deps, lookahead, onAccepted: () => {} }, deps.onError);
  const onAccepted = () => {
    if (settings.autoRedrive) redrive.nudge();
  };
  const parts: IngestKindParts = { ...deps, lookahead, onAccepted };
  const archive = async () => {
    const before = new Date(clock.now().getTime() - settings.auditSeconds * 1000);
    let archived = ARCHIVE_BATCH;
    while (archived === ARCHIVE_BATCH) archived = await archiveHistory(database.db, before, ARCHIVE_BATCH);
  };
  return {
    kinds: ingestKinds(parts),
    chores: [
      { name: 'ingest-history', everyMs: 3_600_000, run: archive },
      ...(settings.autoRedrive ? [{ name: 'ingest-redrive', everyMs: 5_000, run: () => redrive.run() }] : []),
    ],
    selectRows: createSelectRows(database.db),
    announceExpiringKey: (tx, key) => announceExpiringKey(parts, tx, key),
    routes: (more) => ingestRoutes({ ...parts, ...more }),
  };
}

/** Builds Ingest with its routes. */
export function buildIngest(parts: SurfaceParts): BuiltSurface {
  const { config, webhooks, room } = parts;
  const { db } = parts.database;
  const work = createIngestWork({
    ...parts,
    secrets: webhooks.secrets,
    settings: {
      ...config,
      autoRedrive: config.ingestAutoRedrive,
      urlBase: config.publicUrl ?? config.basePath,
    },
  });
  return {
    kinds: work.kinds,
    jobViews: ingestJobViews(db),
    chores: work.chores,
    rows: ingestRowSource(work.selectRows),
    operatorRoutes: (app) => ingestOperatorRoutes(app, db),
    announceExpiringKey: work.announceExpiringKey,
    api: work.routes({ engine: parts.engine, webhookAllow: webhooks.settings.allow, room }),
  };
}
