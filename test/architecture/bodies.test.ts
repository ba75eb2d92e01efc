import type { RouteOptions } from 'fastify';
import { expect, test } from 'vitest';
import { actingRoutes } from '#console/acting/acting-routes.ts';
import type { ConsoleParts } from '#console/console-parts.ts';
import { consoleRoutes } from '#console/routes.ts';
import type { RouteGroup } from '#http/route-group.ts';
import { surfaces } from '#main/surfaces.ts';
import { config, describeSurfaces, openapiDocument, untouched } from '../../scripts/openapi-document.ts';
import { readRaw, sendRaw, startServer } from '../support/http.ts';
import { keyKinds } from '../support/product.ts';

const described = await describeSurfaces(surfaces);
const operators = untouched<ConsoleParts>({
  settings: { ...config, keyDays: {}, sealPublicKeys: [] },
  session: untouched<ConsoleParts['session']>({ cookie: { basePath: '', alwaysSecure: false } }),
  keyKinds,
  surfaces: described.map(({ spec, built }) => ({
    name: spec.name,
    webhookScheme: spec.webhookScheme.name,
    needs: spec.needs,
    operatorRoutes: built.operatorRoutes,
  })),
});
/** Every route of the product without a backend: a response that needs no database must not use one. */
const everything = [
  ...described.flatMap(({ built }) => [built.api, ...(built.otherRoutes ?? [])]),
  consoleRoutes(operators),
  ...described.map(({ spec, built }) => actingRoutes(spec, built, operators)),
];

/** The same surface, with its routes recorded. */
function listed(spec: RouteGroup, routes: RouteOptions[]): RouteGroup {
  return {
    ...spec,
    plugin: async (app, { guards, shutdown }) => {
      app.addHook('onRoute', (route) => void routes.push(route));
      await app.register(spec.plugin, { guards, shutdown });
    },
  };
}

test('[HTTP38] a request without a credential: is refused before its body arrives, on every route', async () => {
  const routes: RouteOptions[] = [];
  const { port } = await startServer({ surfaces: everything.map((spec) => listed(spec, routes)) });
  const open: string[] = [];
  let asked = 0;
  for (const { method, url, config } of routes) {
    for (const name of [method].flat().filter((verb) => !['GET', 'HEAD'].includes(verb))) {
      const path = url.replace(/:\w+/g, '0190a000-0000-7000-8000-000000000001');
      if ((config as { public?: boolean } | undefined)?.public === true && !url.includes('/acting/')) {
        open.push(`${name} ${url}`);
        continue;
      }
      const head = `${name} ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\nConnection: close\r\n\r\n`;
      expect(readRaw(await sendRaw(port, head, false)).status, `${name} ${url}`).toBe(401);
      asked += 1;
    }
  }
  expect(asked).toBeGreaterThan(60);
  // These run another check before the body: a rate limit and at most 16 kB, or the link itself (SUB44).
  expect(open.sort()).toEqual([
    'POST /operator/v1/session',
    'POST /operator/v1/session/passkey',
    'POST /operator/v1/session/passkey-options',
    'POST /operator/v1/single-sign-on',
    'POST /operator/v1/single-sign-on/session',
    'POST /v1/uploads/:token',
    'PUT /v1/uploads/:token',
  ]);
});

test('[HTTP39] every operation of the document that takes a body: has its limit and 413', async () => {
  type Operation = { requestBody?: object; responses: object; 'x-max-body-bytes'?: number };
  const { paths } = JSON.parse(await openapiDocument()) as {
    paths: Record<string, Record<string, Operation>>;
  };
  const withBody = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, { requestBody }]) => requestBody !== undefined)
      .map(([method, operation]) => ({ name: `${method} ${path}`, operation })),
  );
  expect(withBody.length).toBeGreaterThan(15);
  for (const { name, operation } of withBody) {
    expect(operation['x-max-body-bytes'], name).toBeGreaterThan(0);
    expect(operation.responses, name).toHaveProperty('413');
  }
});
