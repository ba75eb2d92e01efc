import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '#storage/database.ts';
import { startBulkfillServer } from '../../../test/support/bulkfill-server.ts';
import { type Session, signedIn } from '../../../test/support/console-client.ts';

test('[CON43] a plain cookie of a session older than the prefix, over TLS: replaced by a prefixed one', async () => {
  const server = await startBulkfillServer({ ROWPRESS_ROLE: 'api', TRUST_PROXY: '127.0.0.1' });
  onTestFinished(() => server.stop());
  const database = openDatabase({ url: server.env.DATABASE_URL ?? '' }, 1, () => {});
  onTestFinished(() => database.close());
  const operator = await signedIn(server);
  const https = { 'x-forwarded-proto': 'https' };
  const plain = operator.cookie;
  expect((await operator.get<Session>('/session', https)).body).toEqual({ signed_in: false });
  await database.db.updateTable('operator_sessions').set({ old_cookie: true }).execute();
  const migrated = await operator.get<Session>('/session', https);
  expect(migrated.body).toMatchObject({ signed_in: true, csrf_token: operator.csrf });
  expect(migrated.headers.getSetCookie()).toEqual([
    expect.stringContaining(`__Host-${plain}; Path=/; `),
    'rowpress_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax',
  ]);
  operator.cookie = `__Host-${plain}`;
  expect((await operator.get<Session>('/session', https)).body.signed_in).toBe(true);
  expect((await operator.get<Session>('/session')).body).toEqual({ signed_in: false });
});
