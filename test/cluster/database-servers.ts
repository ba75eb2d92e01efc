import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { silentLog } from '#lib/plain-log.ts';
import type { Binaries } from '#storage/embedded/binaries.ts';
import { install } from '#storage/embedded/install.ts';
import { type RunUser, runAs } from '#storage/embedded/run-user.ts';

/** The role of the product in these databases: an owner without further rights, as in an ordinary installation. */
const ROLE = 'app';

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** One PostgreSQL on a loopback port. Restarts on the same port, also as a standby of another one. */
export class DatabaseServer {
  readonly port: number;
  readonly #cluster: string;
  readonly #binaries: Binaries;
  readonly #user: RunUser;
  readonly #rules: string;
  #child: ChildProcess | undefined;

  constructor(port: number, cluster: string, machine: { binaries: Binaries; user: RunUser; rules: string }) {
    this.port = port;
    this.#cluster = cluster;
    this.#binaries = machine.binaries;
    this.#user = machine.user;
    this.#rules = machine.rules;
  }

  get url(): string {
    return `postgres://${ROLE}@127.0.0.1:${this.port}/app`;
  }

  async start(): Promise<void> {
    const options = {
      port: String(this.port),
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      hba_file: this.#rules,
      fsync: 'off',
      wal_level: 'replica',
      wal_receiver_status_interval: '1s',
      wal_retrieve_retry_interval: '200ms',
    };
    const settings = Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    this.#child = spawn(join(this.#binaries.bin, 'postgres'), ['-D', this.#cluster, ...settings], {
      ...runAs(this.#user),
      env: this.#binaries.env,
      stdio: 'ignore',
    });
    for (let turn = 0; turn < 600; turn += 1) {
      if (await this.ask('select 1').catch(() => undefined)) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`the server on port ${this.port} did not start`);
  }

  /** Ends the server at once, as if its machine had failed. */
  async kill(): Promise<void> {
    if (this.#child === undefined || this.#child.exitCode !== null) return;
    const gone = once(this.#child, 'exit');
    this.#child.kill('SIGQUIT');
    await gone;
  }

  /** Stops cleanly, so that its files can be copied. */
  async stop(): Promise<void> {
    if (this.#child === undefined || this.#child.exitCode !== null) return;
    const gone = once(this.#child, 'exit');
    this.#child.kill('SIGINT');
    await gone;
  }

  /** Runs one statement as the superuser. */
  async ask<T extends pg.QueryResultRow>(text: string, database = 'postgres'): Promise<T[]> {
    const client = new pg.Client({ host: '127.0.0.1', port: this.port, user: 'rowpress', database });
    client.on('error', () => {});
    try {
      await client.connect();
      return (await client.query<T>(text)).rows;
    } finally {
      await client.end().catch(() => {});
    }
  }

  /** Makes commits wait for a standby, or not. */
  async waitForStandbys(names: string): Promise<void> {
    await this.ask(`alter system set synchronous_standby_names = '${names}'`);
    await this.ask('select pg_reload_conf()');
    await until(
      async () =>
        (await this.ask<{ s: string }>(`select current_setting('synchronous_standby_names') as s`))[0]?.s ===
        names,
    );
  }

  async untilStandbyStreams(): Promise<void> {
    await until(
      async () => (await this.ask(`select 1 from pg_stat_replication where state = 'streaming'`)).length > 0,
    );
  }

  async promote(): Promise<void> {
    await this.ask('select pg_promote()');
  }
}

/** Waits until the condition holds, for at most a minute. */
export async function until(condition: () => Promise<boolean>): Promise<void> {
  for (let turn = 0; turn < 600; turn += 1) {
    if (await condition()) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('the condition did not become true within a minute');
}

export interface DatabasePair {
  readonly directory: string;
  readonly primary: DatabaseServer;
  readonly standby: DatabaseServer;
  close(): Promise<void>;
}

/** Starts a primary with the empty database `app`, and a streaming standby of it. Commits do not wait for the standby yet. */
export async function startPair(): Promise<DatabasePair> {
  const directory = mkdtempSync(join(tmpdir(), 'rp-pair-'));
  chmodSync(directory, 0o755);
  const { place, binaries } = await install(join(directory, 'one'), { fsync: false }, silentLog);
  const rules = join(directory, 'pg_hba.conf');
  writeFileSync(rules, 'host all all 127.0.0.1/32 trust\nhost replication all 127.0.0.1/32 trust\n', {
    mode: 0o644,
  });
  const machine = { binaries, user: place.user, rules };
  const primary = new DatabaseServer(await freePort(), place.cluster, machine);
  await primary.start();
  await primary.ask(`create role ${ROLE} login`);
  await primary.ask(`create database app owner ${ROLE}`);
  await primary.stop();
  const copy = join(place.directory, 'standby');
  cpSync(place.cluster, copy, { recursive: true });
  chmodSync(copy, 0o700);
  writeFileSync(join(copy, 'standby.signal'), '');
  appendFileSync(
    join(copy, 'postgresql.auto.conf'),
    `primary_conninfo = 'host=127.0.0.1 port=${primary.port} user=rowpress application_name=two'\n`,
  );
  if (place.user.dropped) own(copy, place.user);
  await primary.start();
  const standby = new DatabaseServer(await freePort(), copy, machine);
  await standby.start();
  await primary.untilStandbyStreams();
  const close = async () => {
    await standby.kill();
    await primary.kill();
    rmSync(directory, { recursive: true, force: true });
    rmSync(place.directory, { recursive: true, force: true });
  };
  return { directory, primary, standby, close };
}

function own(path: string, user: RunUser): void {
  const names = readdirSync(path, { recursive: true }) as string[];
  for (const name of ['', ...names]) chownSync(join(path, name), user.uid, user.gid);
}
