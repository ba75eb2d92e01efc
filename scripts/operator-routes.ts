import Fastify, { type RouteOptions } from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import type { z } from 'zod';
import { type Declared, declaredNeed } from '#console/access/declared-needs.ts';
import { actingRoutes } from '#console/acting/acting-routes.ts';
import type { ConsoleParts } from '#console/console-parts.ts';
import { consoleRoutes } from '#console/routes.ts';
import type { RouteContext } from '#http/route-group.ts';
import { keyKindsOf } from '#main/registries.ts';
import { surfaces } from '#main/surfaces.ts';
import { config, describeSurfaces, untouched } from './openapi-document.ts';

/** A route of the operator API, or of a surface for people who act for an account. */
export interface OperatorRoute {
  readonly method: string;
  /** With `/operator/v1`. */
  readonly url: string;
  readonly need: Declared;
  /** Response schemas by status. */
  readonly response: Readonly<Record<string, z.ZodType>>;
}

const context: RouteContext = {
  guards: {
    requireKey: () => async () => {},
    rateLimit: () => async () => {},
    rateLimitAddress: () => async () => {},
  },
  shutdown: new AbortController().signal,
};

/** Lists every registered operator route, so that neither the table nor a test can miss a new one. */
export async function operatorRoutes(): Promise<OperatorRoute[]> {
  const described = await describeSurfaces(surfaces);
  const parts = untouched<ConsoleParts>({
    settings: { ...config, keyDays: {}, sealPublicKeys: [] },
    keyKinds: keyKindsOf(surfaces),
    surfaces: described.map(({ spec, built }) => ({
      name: spec.name,
      webhookScheme: spec.webhookScheme.name,
      needs: spec.needs,
      operatorRoutes: built.operatorRoutes,
    })),
  });
  const groups = [
    consoleRoutes(parts),
    ...described.map(({ spec, built }) => actingRoutes(spec, built, parts)),
  ];
  const app = Fastify();
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  const registered: RouteOptions[] = [];
  app.addHook('onRoute', (route) => void registered.push(route));
  for (const { prefix, plugin } of groups)
    await app.register(async (scope) => plugin(scope as never, context), { prefix });
  await app.ready();
  await app.close();
  // Read after all hooks have run: those of the groups add what a route needs.
  return registered.flatMap((route) =>
    [route.method].flat().map((method) => ({
      method,
      url: route.url,
      need: declaredNeed(route),
      response: (route.schema?.response ?? {}) as OperatorRoute['response'],
    })),
  );
}
