import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '#storage/database.ts';
import { startBulkfillServer } from '../../../test/support/bulkfill-server.ts';
import { signedIn } from '../../../test/support/console-client.ts';

test('[CON48] the audit entry of a read cannot be written: the data is not sent', async () => {
  const server = await startBulkfillServer({ ROWPRESS_ROLE: 'api' });
  onTestFinished(() => server.stop());
  const database = openDatabase({ url: server.env.DATABASE_URL ?? '' }, 1, () => {});
  onTestFinished(() => database.close());
  const operator = await signedIn(server);
  await operator.post('/accounts', { name: 'Acme' });
  const acting = { 'x-rowpress-account': 'Acme' };
  const made = await operator.request('POST', '/acting/subscribers/subscribers', {
    headers: { ...acting, 'content-type': 'application/json', 'idempotency-key': 'k' },
    body: JSON.stringify({ email: 'ada@example.com' }),
  });
  expect(made.status).toBe(201);
  const read = () => operator.get('/acting/subscribers/subscribers', acting);
  await database.pool.query('alter table audit_marks rename to audit_marks_away');
  const refused = await read();
  expect(refused.status).toBe(500);
  expect(JSON.stringify(refused.body)).not.toContain('ada@example.com');
  await database.pool.query('alter table audit_marks_away rename to audit_marks');
  const answered = await read();
  expect(answered.status).toBe(200);
  expect(JSON.stringify(answered.body)).toContain('ada@example.com');
});
