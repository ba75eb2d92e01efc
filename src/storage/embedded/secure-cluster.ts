import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { faultPoint } from '#lib/fault-points.ts';
import type { PlainLog } from '#lib/plain-log.ts';
import { needsPassword, writeAccessRules } from './access-rules.ts';
import { ADVISORY_SPACE, connectAsSuperuser } from './connect.ts';
import { DATABASE, SERVER_ROLE, SUPERUSER, scramVerifier } from './database-roles.ts';
import type { Installed } from './ensure-running.ts';
import { handOver } from './hand-over.ts';

const SECURING = 3;
const NAME = 'rowpress maintenance';

/**
 * Gives the server its own role and requires the password on the socket. Databases of earlier releases belong to a
 * superuser and admit every local process; they are changed in place. Each step can be repeated, and the order makes a
 * crash harmless: the role may log in only after it owns everything, and the access rules change last.
 */
export async function secureCluster(
  { place, key }: Installed,
  socketDirectory: string,
  log: PlainLog,
): Promise<void> {
  const login = { socketDirectory, key, name: NAME };
  const admin = await connectAsSuperuser({ ...login, database: 'postgres' }, place.cluster);
  try {
    // One process at a time; the lock ends with the connection.
    await admin.query('select pg_advisory_lock($1, $2)', [ADVISORY_SPACE, SECURING]);
    await ensureRole(admin);
    await faultPoint('embedded.after-role');
    if (!(await ensureDatabase(admin))) {
      const inside = await connectAsSuperuser({ ...login, database: DATABASE }, place.cluster);
      try {
        await handOver(inside);
      } finally {
        await inside.end().catch(() => {});
      }
    }
    await faultPoint('embedded.after-hand-over');
    const verifier = admin.escapeLiteral(scramVerifier(key));
    await admin.query(`alter role ${SUPERUSER} password ${verifier}`);
    await admin.query(`alter role ${SERVER_ROLE} login password ${verifier}`);
    await faultPoint('embedded.after-password');
    if (!needsPassword(place.cluster)) {
      const older = await findOlderRelease(admin);
      if (older !== undefined) {
        log.warn(
          `the database socket stays open without a password until "${older}" of an older release ends`,
        );
        return;
      }
      writeAccessRules(place.cluster, place.user);
      log.info(
        'the embedded PostgreSQL now requires a password, and the server no longer connects as superuser',
      );
    }
    await faultPoint('embedded.after-rules');
    await reload(admin, () => connectAsSuperuser({ ...login, database: 'postgres' }, place.cluster));
  } finally {
    await admin.end().catch(() => {});
  }
}

async function ensureRole(admin: pg.Client): Promise<void> {
  const { rows } = await admin.query('select 1 from pg_roles where rolname = $1', [SERVER_ROLE]);
  if (rows.length === 0)
    await admin.query(
      `create role ${SERVER_ROLE} nologin nosuperuser nocreatedb nocreaterole noreplication nobypassrls`,
    );
  // To read the application name of a process of an earlier release, which connects as superuser (guard.ts).
  await admin.query(`grant pg_read_all_stats to ${SERVER_ROLE}`);
}

/** Returns true if the database was created now, with its owner. */
async function ensureDatabase(admin: pg.Client): Promise<boolean> {
  const { rows } = await admin.query('select 1 from pg_database where datname = $1', [DATABASE]);
  if (rows.length > 0) return false;
  await admin.query(`create database ${DATABASE} owner ${SERVER_ROLE}`);
  return true;
}

/**
 * Finds a process of an earlier release. It connects as superuser without a password, so new rules would cut it off.
 */
async function findOlderRelease(admin: pg.Client): Promise<string | undefined> {
  const { rows } = await admin.query<{ name: string }>(
    `select application_name as name from pg_stat_activity
     where usename = $1 and application_name like 'rowpress%' and application_name <> $2
     order by application_name desc limit 1`,
    [SUPERUSER, NAME],
  );
  return rows[0]?.name;
}

/**
 * Reloads the rules and waits for them. New connections inherit the time of the last reload from PostgreSQL's main
 * process, which applies the rules at the same time.
 */
async function reload(admin: pg.Client, again: () => Promise<pg.Client>): Promise<void> {
  const { rows } = await admin.query<{ before: string }>('select pg_conf_load_time()::text as before');
  await admin.query('select pg_reload_conf()');
  for (;;) {
    const client = await again();
    try {
      const { rows: now } = await client.query<{ reloaded: boolean }>(
        'select pg_conf_load_time() > $1::timestamptz as reloaded',
        [rows[0]?.before],
      );
      if (now[0]?.reloaded === true) return;
    } finally {
      await client.end().catch(() => {});
    }
    await sleep(10);
  }
}
