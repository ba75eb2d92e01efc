import { layoutJsonSchema } from '#fill/package/layout-json-schema.ts';
import type { SurfaceSpec } from '#http/surface.ts';

/** The layout's JSON Schema, for editors and for people who write layouts by hand. No key needed. */
export const schemaSurface: SurfaceSpec = {
  dialect: 'bulkfill',
  prefix: '/schemas',
  plugin: async (app) => {
    const schema = layoutJsonSchema();
    app.get('/layout.json', { schema: { hide: true } }, async (_request, reply) => {
      await reply.type('application/schema+json').send(JSON.stringify(schema));
    });
  },
};
