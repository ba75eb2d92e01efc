import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { loadConfig } from '#config.ts';
import { createAuthority } from '../../test/support/certificates.ts';
import { startServer, testSettings } from '../../test/support/http.ts';
import { clientThumbprint } from './client-certificate.ts';
import { httpSettings } from './http-settings.ts';
import type { RouteGroup } from './route-group.ts';

const whoami: RouteGroup = {
  prefix: '/wms-ingest/v1',
  plugin: async (app) => {
    app.get('/whoami', async (request) => ({
      thumbprint: clientThumbprint(request) ?? null,
      protocol: (request.socket as TLSSocket).getProtocol(),
    }));
  },
};

interface Client {
  readonly ca: string;
  readonly cert?: string;
  readonly key?: string;
}

function ask(port: number, client: Client): Promise<Record<string, unknown>> {
  return new Promise((resolve, reject) => {
    const call = request({ host: '127.0.0.1', port, path: '/wms-ingest/v1/whoami', agent: false, ...client });
    call.on('response', async (response) => {
      const chunks = await response.toArray();
      resolve(JSON.parse(Buffer.concat(chunks).toString()));
    });
    call.on('error', reject).end();
  });
}

test('[HTTP21] a verified client certificate over TLS: is identified by its thumbprint; any other is ignored', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'rp-tls-'));
  onTestFinished(() => rm(dir, { recursive: true }));
  const ours = createAuthority();
  const theirs = createAuthority();
  const server = ours.issue(['127.0.0.1']);
  const file = (name: string, content: string) => {
    writeFileSync(join(dir, name), content);
    return join(dir, name);
  };
  const loaded = loadConfig({
    ROWPRESS_TLS_CERT: file('cert', server.cert),
    ROWPRESS_TLS_KEY: file('key', server.key),
    ROWPRESS_TLS_CLIENT_CA: file('ca', ours.ca),
  });
  if (!loaded.ok) throw new Error(loaded.problems.join());
  const settings = { ...testSettings, tls: httpSettings(loaded.config).tls };
  const { port } = await startServer({ settings, surfaces: [whoami] });
  const { ca } = ours;
  expect(await ask(port, { ca })).toEqual({ thumbprint: null, protocol: 'TLSv1.3' });
  const known = await ask(port, { ca, ...ours.issue(['partner']) });
  expect(known.thumbprint).toMatch(/^[0-9a-f]{64}$/);
  expect(await ask(port, { ca, ...theirs.issue(['partner']) })).toMatchObject({ thumbprint: null });
  await expect(ask(port, { ca: theirs.ca })).rejects.toThrow(/verify|unable|self-signed|signature/i);
});
