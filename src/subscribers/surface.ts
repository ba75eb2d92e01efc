import type { AnyJobKind } from '#engine/job-kind.ts';
import type { SurfaceSpec } from '#http/surface.ts';
import { deleteExpiredUploads } from '#storage/subscribers/uploads.ts';
import { exportKind } from './export/kind.ts';
import { exportRoutes } from './export/routes.ts';
import { customFieldRoutes } from './fields/routes.ts';
import { createRouteKit } from './http/route-kit.ts';
import { importKind } from './import/kind.ts';
import { importRoutes } from './import/routes.ts';
import { type Operation, operationOf } from './meta/capabilities.ts';
import { metaRoutes } from './meta/routes.ts';
import { subscriberRoutes } from './people/routes.ts';
import type { SubscriberParts, SurfaceDeps } from './surface-deps.ts';
import { tagRoutes } from './tags/routes.ts';
import { uploadRoutes } from './uploads/routes.ts';
import { subscriberWebhooks } from './webhooks/documented-events.ts';
import { webhookRoutes } from './webhooks/routes.ts';

const DAY_MS = 86_400_000;

/** Subscribers over HTTP: everything below `/v1` that is not Bulk Fill. */
export function subscribersSurface(deps: SurfaceDeps): SurfaceSpec {
  return {
    dialect: 'subscribers',
    prefix: '/v1',
    webhooks: subscriberWebhooks,
    plugin: async (app, context) => {
      const operations: Operation[] = [];
      app.addHook('onRoute', (route) => {
        const operation = operationOf(route);
        if (operation !== undefined) operations.push(operation);
      });
      const kit = createRouteKit(deps, context);
      metaRoutes(app, kit, operations);
      subscriberRoutes(app, kit);
      tagRoutes(app, kit);
      customFieldRoutes(app, kit);
      importRoutes(app, kit);
      exportRoutes(app, kit);
      uploadRoutes(app, kit);
      webhookRoutes(app, kit);
    },
  };
}

/** What the engine works on for this surface. */
export function subscribersKinds(parts: SubscriberParts): AnyJobKind[] {
  return [importKind(parts), exportKind(parts)];
}

const BATCH = 1_000;
/** A chore is bounded; what is left waits for its next turn. */
const MAX_BATCHES = 100;

/** Forgets uploads a day after their links have closed; safe on all nodes. */
export async function sweepUploads({ db, clock }: Pick<SubscriberParts, 'db' | 'clock'>): Promise<number> {
  const expiredBefore = new Date(clock.now().getTime() - DAY_MS);
  let deleted = 0;
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
    const now = await deleteExpiredUploads(db, expiredBefore, BATCH);
    deleted += now;
    if (now < BATCH) break;
  }
  return deleted;
}
