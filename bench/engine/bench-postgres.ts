import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLog } from '#lib/plain-log.ts';
import { connectClient, type DatabaseAddress } from '#storage/database.ts';
import { SUPERUSER } from '#storage/embedded/database-roles.ts';
import { startEmbeddedPostgres } from '#storage/embedded/embedded-postgres.ts';

export interface BenchPostgres {
  readonly address: DatabaseAddress;
  readonly dataDir: string;
  stop(): Promise<void>;
}

/** Starts an embedded PostgreSQL in a directory of its own that counts its statements (`pg_stat_statements`). */
export async function startCountingPostgres(): Promise<BenchPostgres> {
  const dataDir = mkdtempSync(join(tmpdir(), 'rp-bench-'));
  // The unprivileged database user must be able to traverse the directory.
  chmodSync(dataDir, 0o711);
  const before = await startEmbeddedPostgres({ dataDir, log: silentLog });
  const superuser = await connectClient({ ...before.address, user: SUPERUSER });
  await superuser.query(`alter system set shared_preload_libraries = 'pg_stat_statements'`);
  await superuser.query('create extension pg_stat_statements');
  await superuser.query(`grant pg_read_all_stats to ${before.address.user}`);
  await superuser.query(
    `grant execute on function pg_stat_statements_reset(oid, oid, bigint, boolean) to ${before.address.user}`,
  );
  await superuser.end();
  await before.stop();
  const postgres = await startEmbeddedPostgres({ dataDir, log: silentLog });
  const again = await connectClient({ ...postgres.address, user: SUPERUSER });
  await again.query('alter system set pg_stat_statements.track_planning = on');
  await again.query('select pg_reload_conf()');
  await again.end();
  const stop = async () => {
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  return { address: postgres.address, dataDir, stop };
}
