import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import type { Db } from '#storage/database.ts';
import { claimMark } from '#storage/installation.ts';
import { SEALED_RESPONSE_TYPE, sealedPlaces } from '#storage/sealed-values.ts';
import { openTestDatabase } from '../../../test/support/database.ts';
import { joinInstallation } from '../installation.ts';
import { loadSecretRing, type SecretRing, type SecretSettings } from '../secret-ring.ts';
import { countSealed } from './reseal.ts';
import { retireSecrets } from './retire-secrets.ts';
import { rotateSecret } from './rotate-secret.ts';

const [FIRST, SECOND] = ['ab'.repeat(32), 'cd'.repeat(32)];
const ACCOUNT = '018f0000-0000-7000-8000-000000000001';
const NOW = new Date('2026-03-01T12:00:00Z');
const clock = { now: () => NOW };
const later = (ms: number) => ({ now: () => new Date(NOW.getTime() + ms) });

const given = (secretKey: string, ...secretKeyPrevious: string[]): SecretSettings => ({
  dataDir: '/nowhere',
  secretKey,
  secretKeyPrevious,
});
const withWindow = (settings: SecretSettings) => ({
  ...settings,
  idempotencyWindowSeconds: 600,
  exportLinkSeconds: 3600,
});
const keyId = (ring: SecretRing) => ring.current.fingerprint().slice(0, 16);

async function installation(settings: SecretSettings): Promise<{ db: Db; ring: SecretRing }> {
  const { db } = await openTestDatabase();
  const ring = await loadSecretRing(settings);
  await joinWith(db, ring);
  return { db, ring };
}

function joinWith(db: Db, ring: SecretRing) {
  const marks = { blobStore: 'b', secretKey: ring.current.fingerprint(), sealKey: 's' };
  return joinInstallation(db, marks, { secrets: ring.fingerprints() });
}

/** Stores one sealed value in every place that has them. */
async function fill(db: Db, ring: SecretRing): Promise<void> {
  const seal = (text: string) => ring.box('webhook').seal(text);
  const id = '018f0000-0000-7000-8000-000000000009';
  await sql`insert into accounts (id, name, plan, active, created_at)
    values (${ACCOUNT}, 'a', 'free', true, ${NOW})`.execute(db);
  const input = `{"z": 1, "delivery":{"secrets":"${seal('in a job').toString('base64')}","mode":"webhook"}, "1": 2}`;
  await sql`insert into jobs (id, account_id, kind, state, input, ordered, slices_total, rows_total, created_at)
    values (${id}, ${ACCOUNT}, 'bulkfill.export', 'queued', ${input}, false, 1, 1, ${NOW})`.execute(db);
  await sql`insert into events (id, account_id, surface, type, body, occurred_at)
    values (${id}, ${ACCOUNT}, 'x', 'x', '', ${NOW})`.execute(db);
  await sql`insert into webhook_deliveries
    (id, event_id, account_id, target_url, secrets, scheme, state, next_attempt_at, created_at)
    values (${id}, ${id}, ${ACCOUNT}, 'https://x', ${seal('in a delivery')}, 'ingest', 'pending', ${NOW}, ${NOW})`.execute(
    db,
  );
  await sql`insert into webhook_subscriptions
    (id, account_id, name, url, status, event_patterns, secret, secret_preview, old_secret, old_secret_ends, created_at, updated_at)
    values (${id}, ${ACCOUNT}, 'n', 'https://x', 'active', '{}', ${seal('new')}, 'p', ${seal('old')}, ${NOW}, ${NOW}, ${NOW})`.execute(
    db,
  );
  const { rows } = await sql<{ no: number }>`insert into ingest_partners (account_id, partner_id, created_at)
    values (${ACCOUNT}, 'p', ${NOW}) returning no`.execute(db);
  await sql`insert into ingest_webhooks (id, partner_no, url, events, secret, old_secret, old_until, created_at)
    values (${id}, ${rows[0]?.no}, 'https://x', '{}', ${seal('new')}, ${seal('old')}, ${NOW}, ${NOW})`.execute(
    db,
  );
  await sql`insert into data_keys (id, account_id, sealed, created_at)
    values ('0123456789abcdef', ${ACCOUNT}, ${ring.box('data-key').seal('a data key')}, ${NOW})`.execute(db);
  await sql`insert into request_keys
    (account_id, scope, key, response_status, response_type, response_body, claimed_at, expires_at)
    values (${ACCOUNT}, 's', 'k', 201, ${SEALED_RESPONSE_TYPE}, ${seal('in a response')}, ${NOW}, ${NOW}),
      (${ACCOUNT}, 's', 'plain', 201, 'application/json', 'not sealed', ${NOW}, ${NOW})`.execute(db);
}

async function openAll(db: Db, ring: SecretRing): Promise<string[]> {
  const opened: string[] = [];
  for (const { table, column, where, jsonPath, purpose } of sealedPlaces) {
    const { rows } = await sql<{ value: Buffer | { delivery: { secrets: string } } }>`
      select ${sql.ref(column)} as value from ${sql.table(table)} where ${sql.raw(where)}`.execute(db);
    for (const { value } of rows) {
      const box = Buffer.isBuffer(value) ? value : Buffer.from(value.delivery.secrets, 'base64');
      expect(jsonPath === undefined).toBe(Buffer.isBuffer(value));
      opened.push(`${table}.${column}: ${ring.box(purpose).open(box)}`);
    }
  }
  return opened;
}

test('[SEC7] after a rotation: the new secret alone opens every stored value', async () => {
  const { db, ring } = await installation(given(FIRST));
  await fill(db, ring);
  const before = await openAll(db, ring);
  expect(before).toHaveLength(8);
  const rotated = await rotateSecret(db, given(SECOND, FIRST), clock);
  expect(rotated).toMatchObject({ replaced: ring.current.fingerprint(), resealed: 8 });
  const next = await loadSecretRing(given(SECOND));
  expect(await openAll(db, next)).toEqual(before);
  expect(await countSealed(db)).toEqual(new Map([[keyId(next), 8]]));
  // The text around the value stays the same, byte for byte.
  const { rows } = await sql<{ text: string }>`select input::text as text from jobs`.execute(db);
  expect(rows[0]?.text).toMatch(/^\{"z": 1, "delivery":\{"secrets":"[^"]+","mode":"webhook"\}, "1": 2\}$/);
});

test('[SEC7] with secret.key: the file gets a new first line and keeps its mode; two concurrent rotations are two', async () => {
  const dataDir = mkdtempSync('/tmp/rp-rotate-');
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const settings = { dataDir, secretKey: undefined, secretKeyPrevious: [] };
  const { db, ring } = await installation(settings);
  await fill(db, ring);
  await Promise.all([rotateSecret(db, settings, clock), rotateSecret(db, settings, clock)]);
  const path = join(dataDir, 'secret.key');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readFileSync(path, 'utf8').trim().split('\n')).toHaveLength(3);
  const next = await loadSecretRing(settings);
  expect(next.fingerprints()[2]).toBe(ring.current.fingerprint());
  expect(await openAll(db, next)).toHaveLength(8);
  await joinWith(db, next);
});

test('[SEC7] a crash after the file was written: the next run finishes the rotation', async () => {
  const dataDir = mkdtempSync('/tmp/rp-rotate-');
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const settings = { dataDir, secretKey: undefined, secretKeyPrevious: [] };
  writeFileSync(join(dataDir, 'secret.key'), `${FIRST}\n`);
  const { db, ring } = await installation(settings);
  writeFileSync(join(dataDir, 'secret.key'), `${SECOND}\n${FIRST}\n`);
  await expect(joinWith(db, await loadSecretRing(settings))).rejects.toThrow('rowpress secrets rotate');
  const rotated = await rotateSecret(db, settings, clock);
  expect(rotated.replaced).toBe(ring.current.fingerprint());
  expect(readFileSync(join(dataDir, 'secret.key'), 'utf8')).toBe(`${SECOND}\n${FIRST}\n`);
});

test('[SEC7] a rotation that cannot work: rejected, and nothing changes', async () => {
  const { db, ring } = await installation(given(FIRST));
  await expect(rotateSecret(db, given(FIRST), clock)).rejects.toThrow(/ROWPRESS_SECRET_KEY is already/);
  await expect(rotateSecret(db, given(SECOND), clock)).rejects.toThrow(/ROWPRESS_SECRET_KEY_PREVIOUS/);
  await joinWith(db, ring);
  const { db: unused } = await openTestDatabase();
  await expect(rotateSecret(unused, given(FIRST), clock)).rejects.toThrow(/no secret to rotate/);
});

test('[SEC8] nodes after a rotation: the old secret, or the new one without the old, does not start', async () => {
  const { db, ring } = await installation(given(FIRST));
  await rotateSecret(db, given(SECOND, FIRST), clock);
  await expect(joinWith(db, ring)).rejects.toThrow(
    /was replaced at 2026-03-01T12:00:00.000Z; set ROWPRESS_SECRET_KEY to the new one/,
  );
  const alone = await loadSecretRing(given(SECOND));
  await expect(joinWith(db, alone)).rejects.toThrow(/add it to ROWPRESS_SECRET_KEY_PREVIOUS/);
  await joinWith(db, await loadSecretRing(given(SECOND, FIRST)));
  // A node that lists the new secret but still uses the old one does not revert the rotation.
  await expect(joinWith(db, await loadSecretRing(given(FIRST, SECOND)))).rejects.toThrow(/was replaced/);
  expect(await claimMark(db, 'secret_key', '-')).toBe(alone.current.fingerprint());
});

test('[SEC10] retiring: waits for the idempotency window, reseals late values, and ends the old secret', async () => {
  const { db, ring } = await installation(given(FIRST));
  await rotateSecret(db, given(SECOND, FIRST), clock);
  // A node that has not been restarted yet.
  await fill(db, ring);
  const settings = withWindow(given(SECOND, FIRST));
  await expect(retireSecrets(db, settings, later(3_599_000))).rejects.toThrow(/2026-03-01T13:00:00.000Z/);
  expect(await retireSecrets(db, settings, later(3_601_000))).toEqual([ring.current.fingerprint()]);
  const next = await loadSecretRing(given(SECOND));
  expect(await openAll(db, next)).toHaveLength(8);
  await joinWith(db, next);
  await expect(joinWith(db, ring)).rejects.toThrow(/was replaced/);
  expect(await retireSecrets(db, settings, later(3_602_000))).toEqual([]);
});

test('[SEC10] retiring a lost secret: rejected while a stored value needs it', async () => {
  const { db, ring } = await installation(given(FIRST));
  await rotateSecret(db, given(SECOND, FIRST), clock);
  await fill(db, ring);
  const settings = withWindow(given(SECOND));
  await expect(retireSecrets(db, settings, clock, { early: true })).rejects.toThrow(/cannot be read/);
  await sql`delete from request_keys`.execute(db);
  await sql`delete from webhook_deliveries`.execute(db);
  await sql`delete from webhook_subscriptions`.execute(db);
  await sql`delete from ingest_webhooks`.execute(db);
  await sql`delete from jobs`.execute(db);
  await sql`delete from data_keys`.execute(db);
  expect(await retireSecrets(db, settings, clock, { early: true })).toHaveLength(1);
});
