import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { VERSION } from '#lib/version.ts';
import type { Dialects } from '../dialects/dialects.ts';
import type { RouteGroup } from '../route-group.ts';
import { buildDocument } from './build-document.ts';
import { describeRoute } from './describe-route.ts';

const securitySchemes = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description:
      'An API key of the surface, as `Authorization: Bearer …`. A list of scopes names those that the key needs.',
  },
  clientCertificate: {
    type: 'mutualTLS',
    description: 'A registered client certificate, on servers that use TLS themselves.',
  },
} as const;

/** Must be called before the routes are registered. */
export async function collectOpenapi(
  app: FastifyInstance,
  dialects: Dialects,
  surfaces: readonly RouteGroup[],
): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Rowpress',
        version: VERSION,
        description: 'Bulk work that happens exactly once: rows in, documents and records out.',
        license: { name: 'MIT', identifier: 'MIT' } as { name: string },
      },
      servers: [{ url: '/' }],
      components: { securitySchemes: securitySchemes as object as Record<string, { $ref: string }> },
    },
    transform: describeRoute(dialects),
    transformObject: (collected) =>
      buildDocument(
        'openapiObject' in collected ? collected.openapiObject : {},
        dialects,
        surfaces,
      ) as object,
  });
}

/** Serves `/openapi.json` with the base path of this server. */
export function serveOpenapi(app: FastifyInstance, basePath: string): void {
  const servers = [{ url: basePath === '' ? '/' : basePath }];
  app.get('/openapi.json', { schema: { hide: true } }, async (_request, reply) =>
    reply.header('cache-control', 'no-cache').send({ ...app.swagger(), servers }),
  );
}
