import { createHash } from 'node:crypto';
import { memoryLimitBytes } from '#lib/memory-limit.ts';

const MIB = 1024 * 1024;

/** Startup settings. Tests turn fsync off; the product never does. */
export interface ServerSettings {
  readonly fsync: boolean;
}

export const DURABLE: ServerSettings = { fsync: true };

/**
 * Settings for a machine of 2–8 cores that also runs our workers. They are passed on the command line, so a new release
 * needs no change inside the cluster. Other settings keep PostgreSQL's defaults. fsync and synchronous_commit are
 * explicit although they are the default, because durability depends on them.
 */
export function serverOptions(socketDirectory: string, { fsync }: ServerSettings): Record<string, string> {
  const memory = memoryLimitBytes();
  const options = {
    // Reachable only through the socket, which needs a password (access-rules.ts).
    listen_addresses: '',
    unix_socket_directories: socketDirectory,
    unix_socket_permissions: '0700',
    max_connections: '200',
    fsync: fsync ? 'on' : 'off',
    synchronous_commit: 'on',
    full_page_writes: fsync ? 'on' : 'off',
    shared_buffers: `${megabytes(memory / 8, 64, 512)}MB`,
    effective_cache_size: `${megabytes(memory / 2, 256, 8192)}MB`,
    work_mem: '8MB',
    maintenance_work_mem: '64MB',
    max_wal_size: '2GB',
    random_page_cost: '1.1',
    // Our statements are short, cores are few, and /dev/shm is 64 MB in many containers.
    max_parallel_workers_per_gather: '0',
    max_parallel_maintenance_workers: '0',
    // After a kill, one sync of the file system instead of one per file: back in 0.4–0.6 s, not 2.3–3.6 s.
    recovery_init_sync_method: process.platform === 'linux' ? 'syncfs' : 'fsync',
    jit: 'off',
    max_logical_replication_workers: '0',
    // Queue tables turn over quickly.
    autovacuum_naptime: '15s',
    // The statements of a killed process end within seconds instead of holding their locks until they complete.
    client_connection_check_interval: '2s',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_checkpoints: 'off',
    log_line_prefix: '%m [%p] ',
  };
  return options;
}

/** Distinguishes a server of this release from one that was started with other settings. */
export function settingsMark(version: string, options: Record<string, string>): string {
  return createHash('sha256').update(version).update(JSON.stringify(options)).digest('hex').slice(0, 16);
}

function megabytes(bytes: number, least: number, most: number): number {
  return Math.round(Math.min(most, Math.max(least, bytes / MIB)));
}
