import { sql } from 'kysely';
import type { Db } from './database.ts';

export type ReplicationMode = 'none' | 'asynchronous' | 'synchronous';

export interface Replication {
  readonly mode: ReplicationMode;
  /** Standbys that are connected now. */
  readonly standbys: number;
  /** True if commits wait for a standby, and none is connected. */
  readonly waits: boolean;
  readonly synchronous_commit: string;
  readonly synchronous_standby_names: string;
}

/** Values of `synchronous_commit` with which a commit does not wait for a standby. */
const LOCAL = ['off', 'local'];

interface Measured {
  readonly standbys: number;
  readonly synchronous_commit: string;
  readonly names: string;
}

/**
 * Measures how commits reach the standbys of this server. An ordinary role sees how many are connected, but not which of
 * them are synchronous, so the mode follows from the settings.
 */
export async function measureReplication(db: Db): Promise<Replication> {
  const { rows } = await sql<Measured>`
    select (select count(*)::int from pg_stat_replication) as standbys,
      current_setting('synchronous_commit') as synchronous_commit,
      current_setting('synchronous_standby_names') as names`.execute(db);
  const [found] = rows;
  if (found === undefined) throw new Error('bug: the measurement returned no row');
  const { standbys, synchronous_commit, names } = found;
  const isSynchronous = names.trim() !== '' && !LOCAL.includes(synchronous_commit);
  return {
    mode: isSynchronous ? 'synchronous' : standbys > 0 ? 'asynchronous' : 'none',
    standbys,
    waits: isSynchronous && standbys === 0,
    synchronous_commit,
    synchronous_standby_names: names,
  };
}
