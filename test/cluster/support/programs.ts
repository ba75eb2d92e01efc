import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chooseRunUser } from '#storage/embedded/run-user.ts';
import { ProgramEnded } from './wait-until.ts';

/** A program that the suite has started, in its own process group. */
export class Program {
  readonly name: string;
  readonly #child: ChildProcess;
  readonly #exited: Promise<unknown>;
  readonly #log: string;

  constructor(name: string, child: ChildProcess, log: string) {
    this.name = name;
    this.#child = child;
    this.#exited = once(child, 'exit');
    this.#log = log;
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  get pid(): number {
    const { pid } = this.#child;
    // A made-up id would signal unrelated processes.
    if (pid === undefined) throw new Error(`bug: ${this.name} was never started`);
    return pid;
  }

  readonly assertRunning = (): void => {
    if (!this.isRunning) throw new ProgramEnded(`${this.name} ended: ${this.lastLines()}`);
  };

  lastLines(): string {
    const lines = readFileSync(this.#log, 'utf8').trim().split('\n');
    // Without the frames of a stack, which would push out its message.
    const telling = lines.filter((line) => !/^\s+at /.test(line)).slice(-8);
    return telling.map((line) => line.slice(0, 300)).join('\n');
  }

  /** Kills the whole group without warning. */
  async kill(): Promise<void> {
    if (!this.isRunning) return;
    process.kill(-this.pid, 'SIGKILL');
    await this.#exited;
  }

  async stop(): Promise<void> {
    if (!this.isRunning) return;
    const timer = setTimeout(() => void this.kill(), 60_000);
    this.#child.kill('SIGTERM');
    await this.#exited;
    clearTimeout(timer);
  }
}

export interface ProgramOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Run as the user that owns databases: PostgreSQL and pgbouncer refuse to run as root. */
  readonly unprivileged?: boolean;
}

/** Starts programs, keeps their output in files, and ends them. */
export class Programs {
  readonly #folder: string;
  readonly #started: Program[] = [];
  readonly user = chooseRunUser(undefined);

  constructor(folder: string) {
    this.#folder = folder;
  }

  start(
    name: string,
    command: string,
    args: readonly string[],
    { env = {}, unprivileged = false }: ProgramOptions = {},
  ): Program {
    const log = join(this.#folder, `${name}.log`);
    const output = openSync(log, 'a');
    const { uid, gid, dropped } = this.user;
    const identity = unprivileged && dropped ? [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'] : [];
    // When the test process dies, even by SIGKILL, everything that it started stops too.
    const child = spawn('setpriv', ['--pdeathsig', 'TERM', ...identity, '--', command, ...args], {
      cwd: '/',
      env: { PATH: `${process.env.PATH}:/usr/sbin`, LANG: 'C.UTF-8', ...env },
      detached: true,
      stdio: ['ignore', output, output],
    });
    closeSync(output);
    const program = new Program(name, child, log);
    this.#started.push(program);
    return program;
  }

  /** The last lines of every program that runs, for the report of a failed test. */
  report(): string {
    const running = this.#started.filter(({ isRunning }) => isRunning);
    return running.map((program) => `--- ${program.name}\n${program.lastLines()}`).join('\n');
  }

  /** Ends everything, the last started first. */
  async stop(): Promise<void> {
    for (const program of this.#started.reverse()) await program.stop();
  }
}
