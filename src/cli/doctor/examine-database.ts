import type { Config } from '#config.ts';
import { MAX_SKEW_MS } from '#engine/nodes/node-clock.ts';
import { systemClock } from '#lib/clock.ts';
import { checkServer } from '#storage/check-server.ts';
import type { Database } from '#storage/database.ts';
import { findDatabase } from '#storage/embedded/find-database.ts';
import { readMigrationState } from '#storage/migrate.ts';
import { requireCompatible } from '#storage/migrations/schema-state.ts';
import { openReplica } from '#storage/open-replica.ts';
import { MAX_LAG_MS, type ReplicaState } from '#storage/read-replica.ts';
import { measureReplication } from '#storage/replication.ts';
import { withDatabase } from '../with-database.ts';
import { examineNodes } from './examine-nodes.ts';
import { examineWork } from './examine-work.ts';
import { attempt, type Finding } from './finding.ts';

export async function examineDatabase(config: Config): Promise<Finding[]> {
  const directory = config.databaseUrl === undefined ? findDatabase(config.dataDir) : undefined;
  if (config.databaseUrl === undefined && directory === undefined)
    return [
      {
        name: 'database',
        state: 'ok',
        detail: `none in ${config.dataDir} yet; the first start creates the embedded one`,
      },
    ];
  const findings: Finding[] = [];
  const reached = await attempt('database', () =>
    withDatabase(
      config,
      async (database) => {
        const { version } = await checkServer(database.db);
        const migrations = await attempt('migrations', () => examineMigrations(database));
        findings.push(migrations, await attempt('clock', () => examineClock(database)));
        findings.push(await attempt('replication', () => examineReplication(database)));
        if (config.databaseReadUrl !== undefined)
          findings.push(await attempt('read replica', () => examineReplica(config, database)));
        // The tables are known once all migrations have run.
        if (migrations.state === 'ok')
          findings.push(...(await examineNodes(database.db)), ...(await examineWork(database.db)));
        const where = directory === undefined ? 'at DATABASE_URL' : `in ${directory}`;
        return { state: 'ok', detail: `PostgreSQL ${version} ${where}` };
      },
      { migrated: false },
    ),
  );
  return [reached, ...findings];
}

async function examineMigrations({ db }: Database): Promise<Omit<Finding, 'name'>> {
  const schema = await readMigrationState(db);
  requireCompatible(schema);
  const { done, pending, newer } = schema;
  if (newer.length > 0)
    return {
      state: 'ok',
      detail: `a newer release added ${newer.join(', ')}; this release can run beside it`,
    };
  if (pending.length === 0) return { state: 'ok', detail: `all ${done.length} have run` };
  const advice = 'run `rowpress migrate`, or start the server, which migrates too';
  return { state: 'warning', detail: `pending: ${pending.join(', ')}`, advice };
}

async function examineReplication({ db }: Database): Promise<Omit<Finding, 'name'>> {
  const { mode, standbys, waits, ...set } = await measureReplication(db);
  if (mode === 'none') return { state: 'ok', detail: 'none; the server has no standby' };
  const connected = `${standbys} ${standbys === 1 ? 'standby' : 'standbys'} connected`;
  const detail = `${mode}, ${connected} (synchronous_commit=${set.synchronous_commit}, synchronous_standby_names='${set.synchronous_standby_names}')`;
  if (waits)
    return {
      state: 'failed',
      detail,
      advice: 'start the standby: until then, PostgreSQL confirms no writes',
    };
  if (mode === 'synchronous') return { state: 'ok', detail };
  const advice =
    'a promoted standby can lack acknowledged work; set synchronous_standby_names (Patroni: synchronous_mode and synchronous_mode_strict)';
  return { state: 'warning', detail, advice };
}

async function examineReplica(config: Config, { db }: Database): Promise<Omit<Finding, 'name'>> {
  const replica = openReplica(config, db, () => {});
  const state = (await replica?.measure()) ?? 'none';
  await replica?.close();
  const words: Readonly<Record<ReplicaState, string>> = {
    none: 'DATABASE_READ_URL is not set',
    used: 'answers lists, usage and the console',
    behind: `more than ${MAX_LAG_MS} ms behind the primary, which answers instead`,
    unavailable: 'does not respond; the primary answers instead',
    unrelated: 'is not a standby of the primary on its timeline; the primary answers instead',
  };
  if (state === 'used') return { state: 'ok', detail: words.used };
  return { state: 'warning', detail: words[state], advice: 'check the server of DATABASE_READ_URL' };
}

/** Compares the clocks. A server on this machine would not be ready, or not start, with a clock that differs. */
async function examineClock({ db }: Database): Promise<Omit<Finding, 'name'>> {
  const before = systemClock.now().getTime();
  const { now } = await checkServer(db);
  const after = systemClock.now().getTime();
  const skewMs = Math.max(0, before - now.getTime(), now.getTime() - after);
  const detail = `${skewMs} ms difference to the database`;
  if (skewMs <= MAX_SKEW_MS) return { state: 'ok', detail };
  return { state: 'warning', detail, advice: 'synchronize the clocks of all machines (NTP)' };
}
