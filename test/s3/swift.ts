import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CreateBucketCommand } from '@aws-sdk/client-s3';
import { createS3Client, usualTiming } from '#storage/blobs/s3/s3-client.ts';
import { settingsOf } from '../support/s3-server/open-s3-blobs.ts';

/** The Python interpreter of the operating system's packages. */
const PYTHON = '/usr/bin/python3';
const SCRIPT = fileURLToPath(new URL('swift-server.py', import.meta.url));
const SERVERS = ['proxy', 'account', 'container', 'object'] as const;
const BUCKET = 'rowpress';

/** OpenStack Swift with its S3 API on loopback: a third-party store that verifies signatures itself. */
export class Swift {
  readonly #directory: string;
  readonly #children: readonly ChildProcess[];
  readonly endpoint: string;

  private constructor(directory: string, children: readonly ChildProcess[], port: number) {
    this.#directory = directory;
    this.#children = children;
    this.endpoint = `http://127.0.0.1:${port}`;
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
    const children = SERVERS.map((name) =>
      spawn(PYTHON, [SCRIPT, 'run', directory, name], { stdio: ['ignore', 'ignore', 'inherit'] }),
    );
    const swift = new Swift(directory, children, ports[0] ?? 0);
    try {
      await Promise.all(ports.map((port, i) => answers(port, children[i])));
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

  async stop(): Promise<void> {
    for (const child of this.#children) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const gone = once(child, 'exit');
      const timer = setTimeout(() => child.kill('SIGKILL'), 10_000);
      child.kill('SIGTERM');
      await gone;
      clearTimeout(timer);
    }
    rmSync(this.#directory, { recursive: true, force: true });
  }
}

async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}

async function answers(port: number, child: ChildProcess | undefined): Promise<void> {
  for (let i = 0; i < 1_200; i += 1) {
    if (child?.exitCode !== null) throw new Error(`a server of Swift ended with ${child?.exitCode}`);
    const socket = connect(port, '127.0.0.1');
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isOpen) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`nobody listens on port ${port}`);
}
