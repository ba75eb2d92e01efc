import type { RouteGroup } from '#http/route-group.ts';
import { subscribersDialect } from './dialect.ts';
import { exportRoutes } from './export/routes.ts';
import { customFieldRoutes } from './fields/routes.ts';
import { createRouteKit } from './http/route-kit.ts';
import { importRoutes } from './import/routes.ts';
import { type Operation, operationOf } from './meta/capabilities.ts';
import { metaRoutes } from './meta/routes.ts';
import type { SubscribersParts } from './parts.ts';
import { subscriberRoutes } from './people/routes.ts';
import { tagRoutes } from './tags/routes.ts';
import { uploadRoutes } from './uploads/routes.ts';
import { subscribersWebhooks } from './webhooks/documented-events.ts';
import { webhookRoutes } from './webhooks/routes.ts';

const TAGS = [
  { name: 'Platform', description: 'What Subscribers offers, and to this key.' },
  { name: 'Workspace', description: 'The account of the key.' },
  { name: 'Subscribers', description: 'People with an email, a status, tags and custom fields.' },
  { name: 'Tags', description: 'Labels of subscribers.' },
  { name: 'Custom Fields', description: 'Additional fields of subscribers.' },
  { name: 'Jobs', description: 'Imports and exports of subscribers, and the uploads of their files.' },
  { name: 'Webhooks', description: 'Receivers of events about subscribers and jobs.' },
];

/** The HTTP routes of Subscribers: everything below `/v1` that is not Bulk Fill. */
export function subscribersRoutes(deps: SubscribersParts): RouteGroup {
  return {
    prefix: subscribersDialect.prefix,
    tags: TAGS,
    webhooks: subscribersWebhooks,
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
