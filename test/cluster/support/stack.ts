import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { chown } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Swift } from '../../s3/swift.ts';
import { ROWPRESS, rowpressJson } from '../../support/cli.ts';
import { freePorts, portOpens } from '../../support/ports.ts';
import { Member, Pair } from './patroni.ts';
import { type Program, Programs } from './programs.ts';
import { type Replacements, render, variables } from './templates.ts';
import { answers200, waitUntil } from './wait-until.ts';

const SECRET = 'secret-of-rowpress';
/** Small enough for a machine with two cores; the rates would stop the load. */
const TEST_SETTINGS = {
  LOG_LEVEL: 'warn',
  ROWPRESS_WORKERS: '2',
  ROWPRESS_DATABASE_POOL: '8',
  ROWPRESS_BULKFILL_CREATE_PER_MINUTE: '0',
  ROWPRESS_BULKFILL_READ_PER_MINUTE: '0',
  ROWPRESS_SUBSCRIBERS_PER_MINUTE: '0',
  ROWPRESS_INGEST_PER_MINUTE: '0',
};
export type NodeName = 'api1' | 'api2' | 'worker1' | 'worker2';
const NODES: readonly NodeName[] = ['api1', 'api2', 'worker1', 'worker2'];
type Service = 'etcd' | 'haproxy' | 'pgbouncer';

/**
 * The cluster of docs/guides/high-availability.md on loopback: etcd, two PostgreSQL under Patroni, HAProxy, pgbouncer, an S3
 * store, two api nodes and two workers. All files are in a temporary folder.
 */
export class Stack {
  readonly folder: string;
  readonly store: Swift;
  readonly database: Pair;
  readonly #programs: Programs;
  readonly #ports: Ports;
  readonly #running = new Map<string, Program>();

  private constructor(folder: string, store: Swift, ports: Ports) {
    this.folder = folder;
    this.store = store;
    this.#ports = ports;
    this.#programs = new Programs(folder);
    const member = (name: string, database: number, rest: number) =>
      new Member(name, { etcd: ports.etcd, database, rest }, this.#programs, folder);
    this.database = new Pair([member('db1', ports.db1, ports.rest1), member('db2', ports.db2, ports.rest2)]);
  }

  /** Starts everything. `rowpress` is the command of the release that the nodes run. */
  static async start(rowpress: string = ROWPRESS): Promise<Stack> {
    const folder = mkdtempSync(join(tmpdir(), 'rp-cluster-'));
    chmodSync(folder, 0o755);
    const [store, ports] = await Promise.all([Swift.start(), choosePorts()]);
    const stack = new Stack(folder, store, ports);
    try {
      await stack.startService('etcd');
      await stack.database.start();
      await Promise.all([
        stack.#createDatabase(),
        stack.startService('haproxy').then(() => stack.#proxyKnowsTheStandby()),
        stack.startService('pgbouncer'),
      ]);
      // The first node migrates; the others find the schema.
      await stack.startNode('api1', rowpress);
      await Promise.all(NODES.slice(1).map((name) => stack.startNode(name, rowpress)));
      await waitUntil('the proxy reaches a node', 60, () => answers200(`${stack.url}/healthz`));
    } catch (error) {
      const report = stack.report();
      await stack.stop();
      throw new Error(`the cluster did not start:\n${report}`, { cause: error });
    }
    return stack;
  }

  /** The address that clients use. */
  get url(): string {
    return `http://127.0.0.1:${this.#ports.public}`;
  }

  urlOf(name: NodeName): string {
    return `http://127.0.0.1:${this.#ports[name]}`;
  }

  /** The primary, without the pooler. */
  get directUrl(): string {
    return `postgresql://rowpress:${SECRET}@127.0.0.1:${this.#ports.primary}/rowpress`;
  }

  async startService(name: Service): Promise<void> {
    const start = { etcd: this.#etcd, haproxy: this.#haproxy, pgbouncer: this.#pgbouncer }[name];
    const program = await start.call(this);
    this.#running.set(name, program);
    const port = { etcd: 'etcd', haproxy: 'public', pgbouncer: 'pooler' } as const;
    await portOpens(this.#ports[port[name]], program.assertRunning);
  }

  async startNode(name: NodeName, rowpress: string = ROWPRESS): Promise<void> {
    const program = this.#programs.start(name, rowpress, ['serve'], { env: this.#env(name) });
    this.#running.set(name, program);
    await waitUntil(`${name} is ready`, 120, async () => {
      program.assertRunning();
      return answers200(`${this.urlOf(name)}/readyz`);
    });
  }

  /** Stops a node as an operator does, and starts it with the given release. */
  async restartNode(name: NodeName, rowpress: string = ROWPRESS): Promise<void> {
    await this.stopProgram(name);
    await this.startNode(name, rowpress);
  }

  async stopProgram(name: Service | NodeName): Promise<void> {
    await this.#running.get(name)?.stop();
  }

  async killProgram(name: Service | NodeName): Promise<void> {
    await this.#running.get(name)?.kill();
  }

  /** Runs a command of Rowpress with the settings of a node. */
  command<T>(args: readonly string[]): Promise<T> {
    return rowpressJson<T>(args, this.#env('api1'));
  }

  report(): string {
    return this.#programs.report();
  }

  async stop(): Promise<void> {
    await Promise.all(NODES.map((name) => this.stopProgram(name)));
    await Promise.all(this.database.members.map((member) => member.stop()));
    await this.#programs.stop();
    await this.store.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  #env(name: NodeName): Record<string, string> {
    const role = name.startsWith('api') ? 'api' : 'worker';
    const s3 = this.store.env('blobs');
    const shared = render('node.env', {
      '10.0.0.20:6432': `127.0.0.1:${this.#ports.pooler}`,
      '10.0.0.20:5000': `127.0.0.1:${this.#ports.primary}`,
      '10.0.0.20:5001': `127.0.0.1:${this.#ports.standby}`,
      '10.0.0.20:8080': `127.0.0.1:${this.#ports.public}`,
      'HOST=0.0.0.0': 'HOST=127.0.0.1',
      'TRUST_PROXY=10.0.0.20': 'TRUST_PROXY=127.0.0.1',
      'http://10.0.0.40:9000': this.store.endpoint,
      'rowpress-password': SECRET,
      'store-access-key': s3.AWS_ACCESS_KEY_ID ?? '',
      'store-secret-key': s3.AWS_SECRET_ACCESS_KEY ?? '',
      'installation-secret': 'ab'.repeat(32),
      '=seal-key': `=${'cd'.repeat(32)}`,
    });
    const own = render(`${role}.env`, {
      [`/var/lib/rowpress-${role}`]: join(this.folder, `${name}-data`),
      [role === 'api' ? '=8080' : '=8081']: `=${this.#ports[name]}`,
    });
    return { ...variables(shared), ...variables(own), ...TEST_SETTINGS };
  }

  async #etcd(): Promise<Program> {
    const peers = `http://127.0.0.1:${this.#ports.peer}`;
    const data = join(this.folder, 'etcd');
    mkdirSync(data, { recursive: true, mode: 0o700 });
    await chown(data, this.#programs.user.uid, this.#programs.user.gid);
    const config = await this.#file('etcd.yml', {
      // One member instead of three: the suite stops etcd as a whole.
      'db1=http://10.0.0.11:2380,db2=http://10.0.0.12:2380,witness=http://10.0.0.13:2380': `db1=${peers}`,
      'http://10.0.0.11:2380': peers,
      'http://10.0.0.11:2379': `http://127.0.0.1:${this.#ports.etcd}`,
      '/var/lib/etcd/rowpress': data,
    });
    return this.#programs.start('etcd', '/usr/bin/etcd', ['--config-file', config], { unprivileged: true });
  }

  async #haproxy(): Promise<Program> {
    const config = await this.#file('haproxy.cfg', {
      '10.0.0.20:8080': `127.0.0.1:${this.#ports.public}`,
      '10.0.0.20:5000': `127.0.0.1:${this.#ports.primary}`,
      '10.0.0.20:5001': `127.0.0.1:${this.#ports.standby}`,
      '10.0.0.31:8080': `127.0.0.1:${this.#ports.api1}`,
      '10.0.0.32:8080': `127.0.0.1:${this.#ports.api2}`,
      '10.0.0.11:5432 port 8008': `127.0.0.1:${this.#ports.db1} port ${this.#ports.rest1}`,
      '10.0.0.12:5432 port 8008': `127.0.0.1:${this.#ports.db2} port ${this.#ports.rest2}`,
    });
    const args = ['-db', '-f', config];
    return this.#programs.start('haproxy', '/usr/sbin/haproxy', args, { unprivileged: true });
  }

  async #pgbouncer(): Promise<Program> {
    const users = await this.#file('userlist.txt', { 'rowpress-password': SECRET });
    const config = await this.#file('pgbouncer.ini', {
      'host=10.0.0.20 port=5000': `host=127.0.0.1 port=${this.#ports.primary}`,
      'listen_addr = 10.0.0.20': 'listen_addr = 127.0.0.1',
      'listen_port = 6432': `listen_port = ${this.#ports.pooler}`,
      '/etc/pgbouncer/userlist.txt': users,
    });
    return this.#programs.start('pgbouncer', '/usr/sbin/pgbouncer', [config], { unprivileged: true });
  }

  async #file(name: string, replacements: Replacements): Promise<string> {
    const path = join(this.folder, name);
    writeFileSync(path, render(name, replacements), { mode: 0o600 });
    await chown(path, this.#programs.user.uid, this.#programs.user.gid);
    return path;
  }

  /** HAProxy takes every server for the primary until it has checked it. */
  async #proxyKnowsTheStandby(): Promise<void> {
    const { name } = await this.database.withRole('sync_standby');
    const log = join(this.folder, 'haproxy.log');
    await waitUntil('HAProxy has checked the standby', 60, async () =>
      readFileSync(log, 'utf8').includes(`Server primary/${name} is DOWN`),
    );
  }

  async #createDatabase(): Promise<void> {
    const text = render('database.sql', { 'rowpress-password': SECRET });
    const statements = text.replaceAll(/^--.*$/gm, '').split(';\n');
    const leader = await this.database.withRole('leader');
    await leader.ask(statements.filter((statement) => statement.trim() !== ''));
  }
}

type Ports = Awaited<ReturnType<typeof choosePorts>>;

async function choosePorts() {
  const free = await freePorts(14);
  const next = () => free.pop() ?? 0;
  return {
    etcd: next(),
    peer: next(),
    db1: next(),
    db2: next(),
    rest1: next(),
    rest2: next(),
    public: next(),
    primary: next(),
    standby: next(),
    pooler: next(),
    api1: next(),
    api2: next(),
    worker1: next(),
    worker2: next(),
  };
}
