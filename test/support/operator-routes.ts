import Fastify, { type RouteOptions } from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import type { z } from 'zod';
import type { ConsoleParts } from '#console/console-parts.ts';
import type { OperatorApp } from '#console/operator-app.ts';
import { consoleRoutes } from '#console/routes.ts';
import { ingestOperatorRoutes } from '#ingest/operator-routes.ts';
import { keyKinds } from './product.ts';

export interface OperatorRoute {
  readonly method: string;
  readonly url: string;
  /** Response schemas by status. */
  readonly response: Readonly<Record<string, z.ZodType>>;
}

/** Lists every registered operator route, so that tests cannot miss a new one. */
export async function operatorRoutes(): Promise<OperatorRoute[]> {
  const app = Fastify();
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  const routes: OperatorRoute[] = [];
  app.addHook('onRoute', ({ method, url, schema }: RouteOptions) => {
    const response = (schema?.response ?? {}) as OperatorRoute['response'];
    for (const name of [method].flat()) routes.push({ method: name, url, response });
  });
  const settings = { maxPdfBytes: 1, maxPackageBytes: 1 };
  const operatorRoutes = (scope: OperatorApp) => ingestOperatorRoutes(scope, undefined as never);
  const surfaces = [{ name: 'ingest', webhookScheme: 'ingest', operatorRoutes }];
  const parts = { settings, keyKinds, surfaces } as unknown as ConsoleParts;
  const context = { guards: {}, shutdown: new AbortController().signal } as never;
  await app.register((scope) => consoleRoutes(parts).plugin(scope as never, context));
  await app.ready();
  await app.close();
  return routes;
}
