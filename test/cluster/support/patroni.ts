import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { chown } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import type { Program, Programs } from './programs.ts';
import { render } from './templates.ts';
import { waitUntil } from './wait-until.ts';

export interface PatroniPorts {
  readonly etcd: number;
  readonly database: number;
  readonly rest: number;
}

interface MemberState {
  readonly name: string;
  readonly role: string;
  readonly state: string;
}

const PASSWORDS = {
  'superuser-password': 'secret-of-the-superuser',
  'replication-password': 'secret-of-the-standby',
  'rewind-password': 'secret-of-the-rewinder',
};

/** One database server: PostgreSQL under Patroni. */
export class Member {
  readonly name: string;
  readonly ports: PatroniPorts;
  readonly #programs: Programs;
  readonly #folder: string;
  #patroni: Program | undefined;

  constructor(name: string, ports: PatroniPorts, programs: Programs, folder: string) {
    this.name = name;
    this.ports = ports;
    this.#programs = programs;
    this.#folder = join(folder, name);
  }

  get rest(): string {
    return `http://127.0.0.1:${this.ports.rest}`;
  }

  async start(): Promise<void> {
    const config = join(this.#folder, 'patroni.yml');
    if (!existsSync(config)) {
      mkdirSync(this.#folder, { mode: 0o700 });
      const text = render('patroni.yml', {
        'name: db1': `name: ${this.name}`,
        '10.0.0.11:2379,10.0.0.12:2379,10.0.0.13:2379': `127.0.0.1:${this.ports.etcd}`,
        '10.0.0.11:8008': `127.0.0.1:${this.ports.rest}`,
        '10.0.0.11:5432': `127.0.0.1:${this.ports.database}`,
        '10.0.0.0/24': '127.0.0.1/32',
        '/var/lib/postgresql/15/rowpress': join(this.#folder, 'data'),
        '/var/lib/postgresql/.pgpass-patroni': join(this.#folder, 'pgpass'),
        '/var/run/postgresql': this.#folder,
        'shared_buffers: 1GB': 'shared_buffers: 32MB',
        ...PASSWORDS,
      });
      writeFileSync(config, text);
      const { uid, gid } = this.#programs.user;
      await chown(this.#folder, uid, gid);
      await chown(config, uid, gid);
    }
    this.#patroni = this.#programs.start(this.name, '/usr/bin/patroni', [config], { unprivileged: true });
  }

  /** Runs statements as the superuser, and returns the rows of the last one. */
  async ask<T extends pg.QueryResultRow>(statements: readonly string[]): Promise<readonly T[]> {
    const client = new pg.Client({
      host: '127.0.0.1',
      port: this.ports.database,
      user: 'postgres',
      password: PASSWORDS['superuser-password'],
      database: 'postgres',
    });
    await client.connect();
    try {
      let rows: readonly T[] = [];
      for (const statement of statements) ({ rows } = await client.query<T>(statement));
      return rows;
    } finally {
      await client.end();
    }
  }

  /** Ends Patroni and every process of PostgreSQL at once, as if the machine lost its power. */
  async kill(): Promise<void> {
    await this.#patroni?.kill();
    const postmaster = this.#postmaster();
    if (postmaster === undefined) return;
    const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8').trim();
    for (const pid of [postmaster, ...children.split(/\s+/).filter(Boolean).map(Number)]) killed(pid);
    await waitUntil(`PostgreSQL of ${this.name} has ended`, 30, async () => this.#postmaster() === undefined);
  }

  /** Stops both cleanly. */
  async stop(): Promise<void> {
    await this.#patroni?.stop();
    await this.kill();
  }

  /** The process id of the running PostgreSQL. */
  #postmaster(): number | undefined {
    const file = join(this.#folder, 'data/postmaster.pid');
    if (!existsSync(file)) return undefined;
    const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
    const command = `/proc/${pid}/cmdline`;
    // The id may belong to another program by now.
    const isOurs = existsSync(command) && readFileSync(command, 'utf8').includes(this.#folder);
    return isOurs ? pid : undefined;
  }
}

function killed(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** The two database servers. */
export class Pair {
  readonly members: readonly Member[];

  constructor(members: readonly Member[]) {
    this.members = members;
  }

  async start(): Promise<void> {
    for (const member of this.members) await member.start();
    await this.inSync();
  }

  /** Waits until one member leads and the other is its synchronous standby. */
  inSync(seconds = 120): Promise<unknown> {
    return waitUntil('one primary with a synchronous standby', seconds, async () => {
      const states = await this.#states();
      const has = (role: string) => states.some((one) => one.role === role && isServing(one));
      return has('leader') && has('sync_standby');
    });
  }

  async withRole(role: 'leader' | 'sync_standby'): Promise<Member> {
    const name = await waitUntil(`a member is ${role}`, 60, async () => {
      return (await this.#states()).find((one) => one.role === role && isServing(one))?.name;
    });
    const member = this.members.find((one) => one.name === name);
    if (member === undefined) throw new Error(`bug: unknown member ${name}`);
    return member;
  }

  /** Changes Patroni's configuration of the whole cluster. The leader uses it within two rounds. */
  change(settings: object): Promise<void> {
    return this.#send('PATCH', '/config', settings);
  }

  /** Changes Patroni's configuration of the whole cluster, and waits until the leader uses it. */
  async configure(settings: object): Promise<void> {
    await this.change(settings);
    const changedAt = Date.now() / 1000;
    // The leader applies what it has read at the end of a round, so the round after that uses it.
    const next = await this.#leaderReads(changedAt);
    await this.#leaderReads(next);
  }

  /** Waits until the leader has read etcd after the given time, in seconds, and returns when it did. */
  #leaderReads(after: number): Promise<number> {
    return waitUntil('the leader reads the configuration', 60, async () => {
      const { rest } = await this.withRole('leader');
      const response = await fetch(`${rest}/patroni`, { signal: AbortSignal.timeout(5_000) });
      const { dcs_last_seen: seen } = (await response.json()) as { dcs_last_seen: number };
      return seen > after && seen;
    });
  }

  /** Exchanges the roles and waits until Patroni says that it has done so. */
  async switchOver(): Promise<void> {
    const [leader, candidate] = await Promise.all([this.withRole('leader'), this.withRole('sync_standby')]);
    await this.#send('POST', '/switchover', { leader: leader.name, candidate: candidate.name });
  }

  async #send(method: string, path: string, body: object): Promise<void> {
    const { rest } = await this.withRole('leader');
    const response = await fetch(rest + path, {
      method,
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
      signal: AbortSignal.timeout(60_000),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    await response.arrayBuffer();
  }

  /** What the first member that answers says about both. */
  async #states(): Promise<readonly MemberState[]> {
    const ask = async ({ rest }: Member) => {
      const response = await fetch(`${rest}/cluster`, { signal: AbortSignal.timeout(5_000) });
      return ((await response.json()) as { members: MemberState[] }).members;
    };
    return Promise.any(this.members.map(ask));
  }
}

const isServing = ({ state }: MemberState) => state === 'running' || state === 'streaming';
