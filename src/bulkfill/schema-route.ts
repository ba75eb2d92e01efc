import { layoutJsonSchema } from '#fill/package/layout-json-schema.ts';
import type { RouteGroup } from '#http/route-group.ts';

/** The JSON Schema of a layout, for editors and for people who write layouts by hand. Requires no key. */
export const schemaRoutes: RouteGroup = {
  prefix: '/schemas',
  plugin: async (app) => {
    const schema = layoutJsonSchema();
    app.get('/layout.json', { schema: { hide: true } }, async (_request, reply) => {
      await reply.type('application/schema+json').send(JSON.stringify(schema));
    });
  },
};
