import { operatorConsole } from '#http/dialects/console.ts';
import { MAX_SMALL_JSON_BYTES } from '#http/http-settings.ts';
import type { SurfaceSpec } from '#http/surface.ts';
import { accountRoutes } from './accounts/routes.ts';
import { auditRoutes } from './audit/routes.ts';
import type { ConsoleParts } from './console-parts.ts';
import { deliveryRoutes } from './deliveries/routes.ts';
import { healthRoutes } from './health/routes.ts';
import { ingestRoutes } from './ingest/routes.ts';
import { jobRoutes } from './jobs/routes.ts';
import { keyRoutes } from './keys/routes.ts';
import { operatorRoutes } from './operators/routes.ts';
import { packageRoutes } from './packages/routes.ts';
import { requestKeyRoutes } from './request-keys/routes.ts';
import { searchRoutes } from './search/routes.ts';
import { accessRoutes } from './session/access-routes.ts';
import { sessionRoutes } from './session/routes.ts';
import { createSessionGuard } from './session/session-guard.ts';
import { settingsRoutes } from './settings/routes.ts';
import { usageRoutes } from './usage/routes.ts';

/**
 * The operator API: what the console and the editor talk to. It is ours alone and may change with them, so it stands in
 * docs/contract/console.md and not in the public document. Every route is behind the session guard unless it says that it
 * is public.
 */
export function consoleSurface(parts: ConsoleParts): SurfaceSpec {
  return {
    dialect: 'console',
    prefix: operatorConsole.prefix,
    plugin: async (app, { shutdown }) => {
      app.addHook('onRoute', (route) => {
        route.schema = { ...route.schema, hide: true };
        route.bodyLimit ??= MAX_SMALL_JSON_BYTES;
      });
      app.addHook('onRequest', createSessionGuard(parts.session));
      sessionRoutes(app, parts);
      accessRoutes(app, parts);
      settingsRoutes(app, parts);
      operatorRoutes(app, parts);
      accountRoutes(app, parts);
      keyRoutes(app, parts);
      jobRoutes(app, parts, shutdown);
      deliveryRoutes(app, parts);
      usageRoutes(app, parts);
      ingestRoutes(app, parts);
      requestKeyRoutes(app, parts);
      searchRoutes(app, parts);
      healthRoutes(app, parts);
      auditRoutes(app, parts);
      await packageRoutes(app, parts);
    },
  };
}
