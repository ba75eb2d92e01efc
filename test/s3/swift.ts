import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CreateBucketCommand } from '@aws-sdk/client-s3';
import { createS3Client, usualTiming } from '#storage/blobs/s3/s3-client.ts';
import { freePorts, portOpens } from '../support/ports.ts';
import { settingsOf } from '../support/s3-server/open-s3-blobs.ts';

/** The Python interpreter of the operating system's packages. */
const PYTHON = '/usr/bin/python3';
const SCRIPT = fileURLToPath(new URL('swift-server.py', import.meta.url));
const SERVERS = ['proxy', 'account', 'container', 'object'] as const;
const BUCKET = 'rowpress';

/** OpenStack Swift with its S3 API on loopback: a third-party store that verifies signatures itself. */
export class Swift {
  readonly #directory: string;
  readonly #ports: readonly number[];
  readonly #children = new Map<string, ChildProcess>();
  readonly endpoint: string;

  private constructor(directory: string, ports: readonly number[]) {
    this.#directory = directory;
    this.#ports = ports;
    this.endpoint = `http://127.0.0.1:${ports[0]}`;
  }

  static async start(): Promise<Swift> {
    if (spawnSync(PYTHON, ['-c', 'import swift.obj.mem_server']).status !== 0)
      throw new Error(
        'This suite needs OpenStack Swift: apt-get install --no-install-recommends python3-swift',
      );
    const directory = mkdtempSync(join(tmpdir(), 'rp-swift-'));
    const ports = await freePorts(SERVERS.length);
    const prepared = spawnSync(PYTHON, [SCRIPT, 'prepare', directory, ...ports.map(String)], {
      encoding: 'utf8',
    });
    if (prepared.status !== 0) throw new Error(prepared.stderr);
    const swift = new Swift(directory, ports);
    try {
      await Promise.all(SERVERS.map((name) => swift.#run(name)));
      const client = createS3Client(settingsOf(swift.env('')), usualTiming);
      await client.send(new CreateBucketCommand({ Bucket: BUCKET }));
    } catch (error) {
      await swift.stop();
      throw error;
    }
    return swift;
  }

  env(prefix: string): Record<string, string> {
    return {
      ROWPRESS_BLOBS: `s3://${BUCKET}/${prefix}?endpoint=${this.endpoint}`,
      AWS_ACCESS_KEY_ID: 'test:tester',
      AWS_SECRET_ACCESS_KEY: 'testing',
    };
  }

  /** Stops the S3 API. The objects are in the memory of another server and stay. */
  closeApi(): Promise<void> {
    return this.#end('proxy');
  }

  /** Starts the S3 API again. */
  openApi(): Promise<void> {
    return this.#run('proxy');
  }

  async stop(): Promise<void> {
    for (const name of SERVERS) await this.#end(name);
    rmSync(this.#directory, { recursive: true, force: true });
  }

  async #run(name: (typeof SERVERS)[number]): Promise<void> {
    const child = spawn(PYTHON, [SCRIPT, 'run', this.#directory, name], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    this.#children.set(name, child);
    await portOpens(this.#ports[SERVERS.indexOf(name)] ?? 0, () => {
      if (child.exitCode !== null) throw new Error(`a server of Swift ended with ${child.exitCode}`);
    });
  }

  async #end(name: string): Promise<void> {
    const child = this.#children.get(name);
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    const timer = setTimeout(() => child.kill('SIGKILL'), 60_000);
    child.kill('SIGTERM');
    await gone;
    clearTimeout(timer);
  }
}
