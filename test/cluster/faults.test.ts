import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, onTestFailed, onTestFinished, test } from 'vitest';
import { ROWPRESS } from '../support/cli.ts';
import { NEXT_MIGRATIONS, nextRelease } from '../support/next-release.ts';
import { collect } from './support/audit.ts';
import type { Load } from './support/load.ts';
import { LockWatch } from './support/lock-watch.ts';
import { MachineDelay } from './support/machine-delay.ts';
import { upgradeInTurn } from './support/rolling-upgrade.ts';
import { Scene, seconds } from './support/scene.ts';
import { waitUntil } from './support/wait-until.ts';

/** `CLUSTER_TEST=long` adds the faults that take long. */
const isLong = process.env.CLUSTER_TEST === 'long';
/** The `rowpress` command of an earlier release, with which the cluster starts. */
const previous = process.env.CLUSTER_PREVIOUS;
let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open(previous);
}, 300_000);
afterAll(() => scene?.close(), 120_000);
beforeEach(() => {
  onTestFailed(() => console.log(scene.stack.report()));
});

const harmless = { lost: 0, doubled: 0, failedJobs: 0, broken: [] };

if (previous !== undefined)
  test('[OPS140] the earlier release is replaced by this one, node by node: nothing acknowledged is lost or doubled', async () => {
    const run = await scene.suffer('upgrade from the earlier release', (load) =>
      upgradeInTurn(scene, load, { from: previous, to: ROWPRESS, end: 'to' }),
    );
    expect(run).toMatchObject(harmless);
  });

test('[STO95] a list of jobs: the standby answers', async () => {
  const { patient } = scene.callers.of.bulkfill;
  const standby = await scene.stack.database.withRole('sync_standby');
  await waitUntil('the nodes read from the standby', 60, async () => {
    await collect(patient.bulkfill.list());
    const sessions = await standby.ask(["select from pg_stat_activity where usename = 'rowpress'"]);
    return sessions.length > 0;
  });
});

test('[OPS110] the primary is killed: requests succeed within 30 s, nothing acknowledged is lost or doubled', async () => {
  const { database } = scene.stack;
  const run = await scene.suffer('primary killed (-9)', async () => {
    const lost = await database.withRole('leader');
    await lost.kill();
    await waitUntil('the standby leads', 60, async () => (await database.withRole('leader')) !== lost);
    await waitUntil('the new primary accepts requests', 60, () => scene.isReady());
    await lost.start();
    await database.inSync();
  });
  expect(run).toMatchObject(harmless);
  expect(run.gaps.all).toBeLessThanOrEqual(30_000);
});

test('[OPS111] roles are exchanged by a switchover: nothing acknowledged is lost or doubled', async () => {
  const run = await scene.suffer('switchover', async () => {
    await scene.stack.database.switchOver();
    await scene.stack.database.inSync();
  });
  expect(run).toMatchObject(harmless);
});

test('[OPS112] pgbouncer or HAProxy restarts: nothing acknowledged is lost or doubled', async () => {
  const restarted = (name: 'pgbouncer' | 'haproxy') =>
    scene.suffer(`${name} restarted`, async () => {
      await scene.stack.killProgram(name);
      await scene.stack.startService(name);
      await seconds(3);
    });
  expect(await restarted('pgbouncer')).toMatchObject(harmless);
  expect(await restarted('haproxy')).toMatchObject(harmless);
});

test('[OPS113] an api node or a worker is killed: the others continue, nothing acknowledged is lost or doubled', async () => {
  const killed = (name: 'api1' | 'worker1', what: string) =>
    scene.suffer(what, async () => {
      await scene.stack.killProgram(name);
      await seconds(5);
      await scene.stack.startNode(name);
    });
  expect(await killed('api1', 'api node killed (-9)')).toMatchObject(harmless);
  expect(await killed('worker1', 'worker killed (-9)')).toMatchObject(harmless);
});

async function storeStopped(length: number, pauseMs?: number): Promise<void> {
  const { store } = scene.stack;
  const outage = async () => {
    await store.closeApi();
    await seconds(length);
    await store.openApi();
  };
  const run = await scene.suffer(`store stopped for ${length} s`, outage, pauseMs);
  expect(run).toMatchObject(harmless);
  // Upserts of items need no blob.
  expect(run.gaps.ingest).toBeLessThan(30_000);
}

/** Longer than a node takes to notice it and to stop claiming, and than its retries of a request. */
const OUTAGE_SECONDS = 20;

test(`[OPS114] the store stops for ${OUTAGE_SECONDS} s: items are accepted, no job fails, nothing acknowledged is lost or doubled`, () =>
  storeStopped(OUTAGE_SECONDS));

const NOT_READY_MS = 10_000;
const NO_HANG_MS = 15_000;

test('[OPS116] the synchronous standby is lost in strict mode: not ready, no request hangs, reads are served, and it ends when the standby is back', async () => {
  const { database } = scene.stack;
  const { patient } = scene.callers.of.bulkfill;
  await database.configure({ synchronous_mode_strict: true });
  onTestFinished(() => database.change({ synchronous_mode_strict: false }), 120_000);
  const delay = new MachineDelay([scene.stack.urlOf('api1'), scene.stack.urlOf('api2')]);
  onTestFinished(() => delay.stop());
  let notReadyMs = 0;
  const run = await scene.suffer('standby lost (strict mode)', async (load) => {
    const standby = await database.withRole('sync_standby');
    const [{ id = '' } = {}] = load.acknowledged.filter(({ surface }) => surface === 'bulkfill');
    await standby.kill();
    const lostAt = Date.now();
    try {
      await waitUntil('no api node is ready', 120, async () => !(await scene.isReady('any')));
      notReadyMs = Date.now() - lostAt;
      const confirmed = load.acknowledged.length;
      expect((await patient.bulkfill.get(id)).jobId).toBe(id);
      expect((await collect(patient.bulkfill.list())).map(({ jobId }) => jobId)).toContain(id);
      await waitUntil('requests from before the loss have ended', 120, async () => load.openSince > lostAt);
      expect(load.acknowledged.length).toBe(confirmed);
    } finally {
      await standby.start();
      await database.inSync();
    }
    await waitUntil('both api nodes are ready again', 60, () => scene.isReady());
  });
  const { longestAttemptMs } = run;
  console.info(
    `not ready after the loss of the standby: ${notReadyMs} ms, longest request: ${longestAttemptMs} ms`,
  );
  console.info(`of this by the machine: ${Math.round(delay.ms)} ms at most`);
  expect(run).toMatchObject(harmless);
  expect(notReadyMs - delay.ms).toBeLessThan(NOT_READY_MS);
  expect(longestAttemptMs - delay.ms).toBeLessThan(NO_HANG_MS);
});

/** An upgrade takes long; its many requests would take as long to compare afterwards. */
const UPGRADE_PAUSE_MS = 1_000;
/** How long a reader keeps its lock on a hot table while a migration wants to change it. */
const READER_SECONDS = 6;
/** A migration waits for less than a second (STO73); a busy machine adds its own delay. Without a limit, it would wait for the reader. */
const LONGEST_LOCK_WAIT_MS = 5_000;

test('[OPS140] a next release migrates beside a long reader, runs beside this one and is rolled back: nothing acknowledged is lost or doubled', async () => {
  const next = nextRelease(NEXT_MIGRATIONS);
  const locks = await LockWatch.start(scene.stack.directUrl);
  onTestFinished(() => locks.stop());
  const reader = new pg.Client(scene.stack.directUrl);
  await reader.connect();
  onTestFinished(() => reader.end());
  const whileMigrating = async () => {
    await waitUntil('the migration waits for the reader', 120, async () =>
      locks.current?.query.includes('next_release'),
    );
    await seconds(READER_SECONDS);
    await reader.query('rollback');
  };
  const upgrade = { from: ROWPRESS, to: next.rowpress, end: 'from', whileMigrating } as const;
  const underLoad = async (load: Load) => {
    await reader.query('begin');
    await reader.query('select from jobs limit 1');
    await upgradeInTurn(scene, load, upgrade);
  };
  const run = await scene.suffer('rolling upgrade', underLoad, UPGRADE_PAUSE_MS);
  console.info(
    `longest wait for a lock of a table: ${Math.round(locks.longest.ms)} ms (${locks.longest.table})`,
  );
  expect(run).toMatchObject(harmless);
  expect(locks.longest.ms).toBeLessThan(LONGEST_LOCK_WAIT_MS);
});

if (isLong) {
  test(
    '[OPS114] the store stops for 15 minutes: no job fails, nothing acknowledged is lost or doubled',
    () => storeStopped(900, 2_000),
    1_800_000,
  );

  test('[OPS115] etcd stops for a minute: the primary continues', async () => {
    const run = await scene.suffer('etcd stopped for 1 min', async () => {
      await scene.stack.stopProgram('etcd');
      await seconds(60);
      await scene.stack.startService('etcd');
      await scene.stack.database.inSync();
    });
    expect(run).toMatchObject(harmless);
  });
}
