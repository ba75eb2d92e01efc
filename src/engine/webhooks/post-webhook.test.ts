import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { createServer as createTlsServer, type TLSSocket } from 'node:tls';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { createAuthority } from '../../../test/support/certificates.ts';
import { startReceiver } from '../../../test/support/webhook-receiver.ts';
import { authority, certificate, only } from '../../../test/support/webhooks.ts';
import { type PostOptions, postWebhook } from './post-webhook.ts';

const options: PostOptions = {
  allow: { covers: () => true },
  resolve: async () => ['127.0.0.1'],
  timeoutMs: 10_000,
  ca: authority.ca,
};
const request = (port: number, host = 'hooks.test') => ({
  url: `https://${host}:${port}/path?a=b#fragment`,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from('{}'),
});

afterEach(() => vi.unstubAllEnvs());

test('[WHK8] the request: contains the host of the URL in TLS and HTTP, and not the fragment', async () => {
  const receiver = await startReceiver(certificate, 200);
  expect(await postWebhook(request(receiver.port), options)).toMatchObject({ ok: true, status: 200 });
  expect(only(receiver.received)).toMatchObject({
    method: 'POST',
    url: '/path?a=b',
    headers: { host: `hooks.test:${receiver.port}`, connection: 'close', 'content-length': '2' },
  });

  const names: unknown[] = [];
  const server = createTlsServer(certificate, (socket: TLSSocket & { servername?: unknown }) => {
    names.push(socket.servername);
    socket.on('error', () => {});
    socket.end('HTTP/1.1 204 No Content\r\n\r\n');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  await postWebhook(request((server.address() as AddressInfo).port), options);
  expect(names).toEqual(['hooks.test']);
});

test('[WHK8] a literal address: needs a certificate for that address', async () => {
  const right = await startReceiver(authority.issue(['127.0.0.1']), 200);
  expect(await postWebhook(request(right.port, '127.0.0.1'), options)).toMatchObject({ ok: true });
  const wrong = await startReceiver(certificate, 200);
  const refused = await postWebhook(request(wrong.port, '127.0.0.1'), options);
  expect(refused).toMatchObject({ ok: false, error: expect.stringMatching(/^tls: /) });
  expect(wrong.received).toHaveLength(0);
});

test('[WHK8] certificates: verified even if the environment disables it', async () => {
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
  const receiver = await startReceiver(createAuthority().issue(['hooks.test']), 200);
  const result = await postWebhook(request(receiver.port), options);
  expect(result).toMatchObject({ ok: false, error: expect.stringMatching(/^tls: /) });
  expect(receiver.received).toHaveLength(0);
});

test('[WHK8] proxies of the environment: not used', async () => {
  let connections = 0;
  const proxy = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  onTestFinished(() => void proxy.close());
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  for (const name of ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'ALL_PROXY']) vi.stubEnv(name, url);
  vi.stubEnv('NODE_USE_ENV_PROXY', '1');
  const receiver = await startReceiver(certificate, 200);
  expect(await postWebhook(request(receiver.port), options)).toMatchObject({ ok: true });
  expect(connections).toBe(0);
});

test('[WHK8] the first address does not respond: another checked address is tried', async () => {
  const receiver = await startReceiver(certificate, 200);
  const resolve = async () => ['127.9.9.9', '127.0.0.1'];
  expect(await postWebhook(request(receiver.port), { ...options, resolve })).toMatchObject({ ok: true });
});
