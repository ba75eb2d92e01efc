import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { VERSION } from '#lib/version.ts';
import type { Dialects } from '../dialects/dialects.ts';
import { ICON } from '../pages/page.ts';
import type { RouteGroup } from '../route-group.ts';
import { describeRoute } from './describe-route.ts';
import { errorResponse } from './error-responses.ts';

/** Allows only this server; swagger-ui sets style attributes and draws its icons from `data:`. */
const DOCS_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Must be called before the routes are registered. */
export async function collectOpenapi(
  app: FastifyInstance,
  dialects: Dialects,
  surfaces: readonly RouteGroup[],
): Promise<void> {
  const unknownPath = dialects.all
    .filter(({ documented }) => documented)
    .map((dialect) => {
      const { dialect: name, shell } = dialect.errors;
      return [`${name}UnknownPath`, errorResponse(dialect, [shell.routeNotFound])];
    });
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Rowpress',
        version: VERSION,
        description: 'Bulk work that happens exactly once: rows in, documents and records out.',
        license: { name: 'MIT' },
      },
      servers: [{ url: '/' }],
      components: {
        securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
        responses: Object.fromEntries(unknownPath),
      },
      webhooks: Object.assign({}, ...surfaces.map(({ webhooks }) => webhooks ?? {})),
    },
    transform: describeRoute(dialects),
    transformObject: (document) => withoutUnused(jsonSchemaTransformObject(document)),
  });
}

type OpenapiObject = ReturnType<typeof jsonSchemaTransformObject>;

/** Removes unused schemas: each named schema has an input and an output form, and often only one is used. */
function withoutUnused(document: OpenapiObject): OpenapiObject {
  const { components = {} } = document as { components?: { schemas?: Record<string, unknown> } };
  const schemas = Object.entries(components.schemas ?? {});
  const text = JSON.stringify(document);
  const used = schemas.filter(([name]) => text.includes(`"#/components/schemas/${name}"`));
  const kept = {
    ...document,
    components: { ...components, schemas: Object.fromEntries(used) },
  } as OpenapiObject;
  // A schema that only removed ones refer to is removed in the next round.
  return used.length === schemas.length ? kept : withoutUnused(kept);
}

/** Serves `/openapi.json`, and `/docs` with the assets of the package. */
export async function serveOpenapi(app: FastifyInstance, basePath: string): Promise<void> {
  const servers = [{ url: basePath === '' ? '/' : basePath }];
  app.get('/openapi.json', { schema: { hide: true } }, async (_request, reply) =>
    reply.header('cache-control', 'no-cache').send({ ...app.swagger(), servers }),
  );
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    indexPrefix: basePath,
    staticCSP: DOCS_POLICY,
    transformSpecification: (document) => ({ ...document, servers }),
    theme: {
      title: 'Rowpress API',
      css: [{ filename: 'rowpress.css', content: '.swagger-ui .topbar { display: none }' }],
      favicon: [{ filename: 'icon.svg', rel: 'icon', sizes: 'any', type: 'image/svg+xml', content: ICON }],
    },
    uiConfig: { docExpansion: 'list', validatorUrl: null, defaultModelsExpandDepth: 0 },
  });
}
