import { MAX_SMALL_JSON_BYTES } from '#http/http-settings.ts';
import type { RouteGroup } from '#http/route-group.ts';
import { declaredNeed } from './access/declared-needs.ts';
import { accountRoutes } from './accounts/routes.ts';
import { auditRoutes } from './audit/routes.ts';
import type { ConsoleParts } from './console-parts.ts';
import { deliveryRoutes } from './deliveries/routes.ts';
import { consoleDialect } from './dialect.ts';
import { healthRoutes } from './health/routes.ts';
import { jobRoutes } from './jobs/routes.ts';
import { keyRoutes } from './keys/routes.ts';
import { operatorRoutes } from './operators/routes.ts';
import { packageRoutes } from './packages/routes.ts';
import { passkeyRoutes } from './passkeys/routes.ts';
import { passkeySignInRoutes } from './passkeys/sign-in-routes.ts';
import { requestKeyRoutes } from './request-keys/routes.ts';
import { searchRoutes } from './search/routes.ts';
import { accessRoutes } from './session/access-routes.ts';
import { sessionRoutes } from './session/routes.ts';
import { createSessionGuard } from './session/session-guard.ts';
import { settingsRoutes } from './settings/routes.ts';
import { singleSignOnRoutes } from './single-sign-on/routes.ts';
import { usageRoutes } from './usage/routes.ts';

/**
 * The operator API, which the console and the editor use. It may change with them, so docs/contract/console.md describes it and
 * the public document does not. Every route declares what it needs; the session guard checks it.
 */
export function consoleRoutes(parts: ConsoleParts): RouteGroup {
  return {
    prefix: consoleDialect.prefix,
    plugin: async (app, { shutdown }) => {
      app.addHook('onRoute', (route) => {
        route.schema = { ...route.schema, hide: true };
        declaredNeed(route);
        route.bodyLimit ??= MAX_SMALL_JSON_BYTES;
      });
      app.addHook('onRequest', createSessionGuard(parts.session));
      sessionRoutes(app, parts);
      singleSignOnRoutes(app, parts);
      accessRoutes(app, parts);
      passkeySignInRoutes(app, parts);
      passkeyRoutes(app, parts);
      settingsRoutes(app, parts);
      operatorRoutes(app, parts);
      accountRoutes(app, parts);
      keyRoutes(app, parts);
      jobRoutes(app, parts, shutdown);
      deliveryRoutes(app, parts);
      usageRoutes(app, parts);
      requestKeyRoutes(app, parts);
      searchRoutes(app, parts);
      healthRoutes(app, parts);
      auditRoutes(app, parts);
      await packageRoutes(app, parts);
      for (const { operatorRoutes } of parts.surfaces) operatorRoutes?.(app);
    },
  };
}
