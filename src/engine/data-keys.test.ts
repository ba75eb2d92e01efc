import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { systemClock } from '#lib/clock.ts';
import { faultOf } from '#lib/errors/fault-of.ts';
import { openTestDatabase } from '../../test/support/database.ts';
import { DATA_KEY_PURPOSE, DataKeys } from './data-keys.ts';
import { rotateSecret } from './rotation/rotate-secret.ts';
import { SecretRing, secretRingOf } from './secret-ring.ts';
import { InstallationSecret } from './secrets.ts';

const ACCOUNT = '018f0000-0000-7000-8000-000000000001';
const OTHER = '018f0000-0000-7000-8000-000000000002';
const [FIRST, SECOND] = ['ab'.repeat(32), 'cd'.repeat(32)];
const DIGEST = 'e'.repeat(64);

async function scene() {
  const { db } = await openTestDatabase();
  for (const [id, name] of [
    [ACCOUNT, 'acme'],
    [OTHER, 'other'],
  ])
    await sql`insert into accounts (id, name, plan, created_at) values (${id}, ${name}, 'free', now())`.execute(
      db,
    );
  const node = (...secrets: [string, ...string[]]) => {
    const [secretKey, ...secretKeyPrevious] = secrets;
    const ring = secretRingOf({ secretKey, secretKeyPrevious }, undefined);
    return new DataKeys(db, ring.box(DATA_KEY_PURPOSE), systemClock);
  };
  return { db, node };
}

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => ({ fault: faultOf(error), message: (error as Error).message }),
  );

test('[SEC17] concurrent first puts on several nodes: each account gets its own data key', async () => {
  const { db, node } = await scene();
  const nodes = Array.from({ length: 6 }, () => node(FIRST));
  const keys = await Promise.all(nodes.flatMap((keys) => [keys.ofAccount(ACCOUNT), keys.ofAccount(ACCOUNT)]));
  const names = new Set(keys.map((key) => key.nameOf(DIGEST)));
  expect(names.size).toBe(1);
  const other = await node(FIRST).ofAccount(OTHER);
  expect(names.has(other.nameOf(DIGEST))).toBe(false);
  const { rows } = await sql<{ sealed: Buffer }>`select sealed from data_keys`.execute(db);
  expect(rows).toHaveLength(2);
  const [id = ''] = keys.map((key) => key.id);
  expect((await node(FIRST).byId(id)).nameOf(DIGEST)).toBe(keys[0]?.nameOf(DIGEST));
});

test('[SEC20] after a rotation: the new secret alone opens the same data key', async () => {
  const { db, node } = await scene();
  const before = await node(FIRST).ofAccount(ACCOUNT);
  const mark = new InstallationSecret(Buffer.from(FIRST, 'hex')).fingerprint();
  await sql`insert into installation (name, value) values ('secret_key', ${mark})`.execute(db);
  const settings = { dataDir: '/nowhere', secretKey: SECOND, secretKeyPrevious: [FIRST] };
  expect(await rotateSecret(db, settings, systemClock)).toMatchObject({ resealed: 1 });
  expect((await node(SECOND).byId(before.id)).nameOf(DIGEST)).toBe(before.nameOf(DIGEST));
  expect(await failureOf(node(FIRST).byId(before.id))).toMatchObject({ fault: 'unavailable' });
});

test('[SEC20] a first put on a node that was not restarted after a rotation: no data key depends on the old secret', async () => {
  const { db, node } = await scene();
  const old = [node(FIRST), node(FIRST, SECOND)] as const;
  const mark = new InstallationSecret(Buffer.from(FIRST, 'hex')).fingerprint();
  await sql`insert into installation (name, value) values ('secret_key', ${mark})`.execute(db);
  const settings = { dataDir: '/nowhere', secretKey: SECOND, secretKeyPrevious: [FIRST] };
  await rotateSecret(db, settings, systemClock);
  expect(await failureOf(old[0].ofAccount(ACCOUNT))).toEqual({
    fault: 'unavailable',
    message: expect.stringContaining('ROWPRESS_SECRET_KEY'),
  });
  const made = await old[1].ofAccount(ACCOUNT);
  expect((await node(SECOND).byId(made.id)).nameOf(DIGEST)).toBe(made.nameOf(DIGEST));
});

test('[SEC20] a data key whose secret this node lacks: unavailable, and the message names the setting', async () => {
  const { node } = await scene();
  const { id } = await node(FIRST).ofAccount(ACCOUNT);
  const keys = node(SECOND);
  for (const failure of [await failureOf(keys.byId(id)), await failureOf(keys.ofAccount(ACCOUNT))])
    expect(failure).toEqual({
      fault: 'unavailable',
      message: expect.stringContaining('ROWPRESS_SECRET_KEY_PREVIOUS'),
    });
  expect((await node(SECOND, FIRST).byId(id)).id).toBe(id);
});

test('[SEC20] a data key that was changed or deleted: reported as damaged, and not replaced by another key', async () => {
  const { db, node } = await scene();
  const { id } = await node(FIRST).ofAccount(ACCOUNT);
  const { rows } = await sql<{ sealed: Buffer }>`select sealed from data_keys`.execute(db);
  const sealed = rows[0]?.sealed ?? Buffer.alloc(0);
  const short = new SecretRing([new InstallationSecret(Buffer.from(FIRST, 'hex'))])
    .box(DATA_KEY_PURPOSE)
    .seal(randomBytes(16));
  const flipped = [0, 12, 30, sealed.length - 1].map((at) => {
    const changed = Buffer.from(sealed);
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
    return changed;
  });
  for (const bytes of [...flipped, sealed.subarray(0, 5), Buffer.alloc(0), short]) {
    await sql`update data_keys set sealed = ${bytes}`.execute(db);
    expect(await failureOf(node(FIRST).byId(id))).toMatchObject({ fault: 'damaged' });
    expect(await failureOf(node(FIRST).ofAccount(ACCOUNT))).toMatchObject({ fault: 'damaged' });
  }
  await sql`delete from data_keys`.execute(db);
  expect(await failureOf(node(FIRST).byId(id))).toMatchObject({ fault: 'damaged' });
});
