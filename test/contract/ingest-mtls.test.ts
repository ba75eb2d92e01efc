import { X509Certificate } from 'node:crypto';
import { expect, test } from 'vitest';
import { createAuthority } from '../support/certificates.ts';
import { startIngest } from '../support/ingest.ts';
import { ask, startMutualTls } from '../support/mutual-tls.ts';

/** A server with mutual TLS, its authority, and a key for all warehouses. */
async function openTls() {
  const { authority: ours, scene } = await startMutualTls();
  const { key } = await scene.client({ partner: 'ERP-TENANT-9' });
  return { ours, ca: ours.ca, port: scene.port, bearer: { authorization: `Bearer ${key}` } };
}

test('[ING64] a certificate that the connection does not present: is not registered', async () => {
  const { ours, ca, port, bearer } = await openTls();
  const known = ours.issue(['partner']);
  const thumbprint = new X509Certificate(known.cert).fingerprint256;
  const register = { port, ca, method: 'POST', path: '/certificates', headers: bearer, body: { thumbprint } };
  const refused = [
    await ask(register),
    await ask({ ...register, client: ours.issue(['another']) }),
    await ask({ ...register, client: known, headers: { ...bearer, 'x-forwarded-for': '192.0.2.7' } }),
  ];
  for (const { status, body } of refused)
    expect([status, String(body.type).split('#')[1]]).toEqual([422, 'certificate-not-presented']);
  expect(refused[1]?.body.detail).toContain(thumbprint.replaceAll(':', '').toLowerCase());
  expect((await ask({ port, ca, client: known, path: '/capabilities' })).status).toBe(401);
  expect((await ask({ ...register, client: known })).status).toBe(201);
  expect((await ask({ port, ca, client: known, path: '/capabilities' })).status).toBe(200);
});

test('[ING64] a registration without TLS: 422 that says so', async () => {
  const { client } = await startIngest({ workers: 0 });
  const { status, body } = await (await client()).post('/certificates', { thumbprint: 'ab'.repeat(32) });
  expect([status, body.type.split('#')[1]]).toEqual([422, 'certificate-not-presented']);
  expect(body.detail).toContain('Send the request over TLS');
});

test('[ING5] a registered client certificate of the right authority: authenticates its partner; any other: 401', async () => {
  const theirs = createAuthority();
  const { ours, ca, port, bearer: key } = await openTls();
  const known = ours.issue(['partner']);
  const thumbprint = new X509Certificate(known.cert).fingerprint256;
  const bearer = { ...key, 'x-warehouse-id': 'W1' };
  const registration = {
    port,
    ca,
    method: 'POST',
    path: '/certificates',
    headers: bearer,
    body: { thumbprint, warehouses: ['W1'] },
  };
  const me = { port, ca, client: known, path: '/capabilities' };

  expect((await ask(me)).status).toBe(401);
  const registered = await ask({ ...registration, client: known });
  expect(registered).toMatchObject({
    status: 201,
    body: { thumbprint: thumbprint.replaceAll(':', '').toLowerCase(), warehouses: ['W1'] },
  });
  expect((await ask({ ...registration, client: known })).status).toBe(409);
  expect((await ask(me)).status).toBe(200);
  const items = { items: [{ source_id: 'EA', name: 'Each' }] };
  const write = { ...me, method: 'POST', path: '/master/uoms', body: items };
  expect((await ask({ ...write, headers: { 'x-warehouse-id': 'W1' } })).status).toBe(200);
  expect((await ask({ ...write, headers: { 'x-warehouse-id': 'W2' } })).status).toBe(403);
  expect((await ask({ ...write })).status).toBe(403);
  expect((await ask({ port, ca, path: '/master/uoms/EA', headers: bearer })).status).toBe(200);

  expect((await ask({ ...me, client: ours.issue(['somebody']) })).status).toBe(401);
  expect((await ask({ ...me, client: theirs.issue(['partner']) })).status).toBe(401);
  expect((await ask({ port, ca, path: '/capabilities' })).status).toBe(401);

  const revoke = { ...registration, path: `/certificates/${thumbprint}/revoke`, body: undefined };
  expect((await ask(revoke)).status).toBe(200);
  expect((await ask(revoke)).status).toBe(409);
  expect((await ask(me)).status).toBe(401);
  const list = await ask({ port, ca, path: '/certificates', headers: bearer });
  expect(list.body).toMatchObject({ data: [{ revoked_at: expect.any(String) }] });
});
