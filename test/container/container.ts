import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { processTree } from '../support/process-memory.ts';

/** The container program with its options, for example `podman --root /tmp/storage`. `.ci/image` sets it. */
const PROGRAM = (process.env.ROWPRESS_PODMAN ?? '').split(' ').filter((word) => word !== '');
export const CAN_RUN = PROGRAM.length > 0;

async function podman(...args: readonly string[]): Promise<{ stdout: string; stderr: string }> {
  const [command = 'podman', ...options] = PROGRAM;
  return promisify(execFile)(command, [...options, ...args], { maxBuffer: 64_000_000 });
}

export async function createVolume(name: string): Promise<() => Promise<void>> {
  await podman('volume', 'create', name);
  return async () => {
    await podman('volume', 'rm', '--force', name);
  };
}

/** A container of the image as an operator starts it: read-only, without capabilities, with one volume. */
export class Container {
  readonly #name: string;

  private constructor(name: string) {
    this.#name = name;
  }

  static async start(name: string, options: readonly string[]): Promise<Container> {
    // The machine may not allow the limits that podman sets by default.
    const limits = ['--ulimit', 'nofile=4096:4096', '--ulimit', 'nproc=4096:4096'];
    const hardened = [
      '--read-only',
      '--tmpfs',
      '/tmp',
      '--cap-drop',
      'all',
      '--security-opt',
      'no-new-privileges',
    ];
    await podman('run', '--detach', '--name', name, ...hardened, ...limits, ...options, 'rowpress');
    return new Container(name);
  }

  /** Runs the command of HEALTHCHECK until it succeeds. Rejects if the container ends. */
  async healthy(): Promise<void> {
    for (;;) {
      const passed = await podman('healthcheck', 'run', this.#name).then(
        () => true,
        () => false,
      );
      if (passed) return;
      if ((await this.#inspect('{{.State.Running}}')) !== 'true')
        throw new Error(`the container ended: ${(await this.logs()).slice(-2000)}`);
    }
  }

  /** Runs a program inside and returns what it printed to standard output. */
  async run(...args: readonly string[]): Promise<string> {
    return (await podman('exec', this.#name, ...args)).stdout.trim();
  }

  async logs(): Promise<string> {
    const { stdout, stderr } = await podman('logs', this.#name);
    return stdout + stderr;
  }

  /** Sends SIGTERM and returns the exit code. After 60 s the container is killed, which gives 137. */
  async stop(): Promise<number> {
    await podman('stop', '--time', '60', this.#name);
    return Number(await this.#inspect('{{.State.ExitCode}}'));
  }

  async startAgain(): Promise<void> {
    await podman('start', this.#name);
  }

  async remove(): Promise<void> {
    await podman('rm', '--force', '--time', '1', this.#name);
  }

  /** Ids of all processes of the container, as the machine numbers them. */
  async processes(): Promise<number[]> {
    return processTree(Number(await this.#inspect('{{.State.Pid}}')));
  }

  async #inspect(format: string): Promise<string> {
    return (await podman('inspect', '--format', format, this.#name)).stdout.trim();
  }
}
