import { workbookLimits } from '#fill/node/xlsx/workbook-limits.ts';
import type { BuiltSurface, SurfaceParts } from '#surface.ts';
import { subscribersJobViews } from './job-views.ts';
import { subscribersKinds } from './kind.ts';
import type { SubscribersKindParts } from './parts.ts';
import { subscribersRoutes } from './routes.ts';
import { subscribersRowSource } from './row-source.ts';
import { createSelectRows } from './rows/select-rows.ts';
import { sweepUploads } from './uploads/sweep.ts';

const HOUR_MS = 3_600_000;

/** Builds Subscribers with its routes. */
export function buildSubscribers(parts: SurfaceParts): BuiltSurface {
  const { config, blobs, clock, ids, secret, outbox, budget, room, line, webhooks } = parts;
  const people: SubscribersKindParts = {
    db: parts.database.db,
    blobs,
    clock,
    ids,
    secrets: webhooks.secrets,
    budget,
    settings: { ...config, webhookAllow: webhooks.settings.allow },
  };
  return {
    kinds: subscribersKinds(people),
    jobViews: subscribersJobViews(people),
    chores: [{ name: 'subscriber-uploads', everyMs: HOUR_MS, run: () => sweepUploads(people) }],
    rows: subscribersRowSource(createSelectRows(people)),
    api: subscribersRoutes({
      ...people,
      blobs,
      engine: parts.engine,
      outbox,
      room,
      line,
      workbooks: workbookLimits(config),
      signLink: (text) => secret.current.keyedHash('subscribers-download', text).toString('base64url'),
      signLinkAll: (text) =>
        secret.keyedHashes('subscribers-download', text).map((hash) => hash.toString('base64url')),
    }),
  };
}
