import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createKey, type KeyOrder } from '#engine/keys/create-key.ts';
import { KeyRing } from '#engine/keys/key-ring.ts';
import type { HttpSettings } from '#http/http-settings.ts';
import { systemClock } from '#lib/clock.ts';
import { parseHostAllowList } from '#lib/host-allow-list.ts';
import { systemIds } from '#lib/ids.ts';
import type { DatabaseAddress } from '#storage/database.ts';
import { databaseUrl } from './cli.ts';
import { createDatabase } from './database.ts';
import { undocumented } from './documented.ts';
import { startServer, testSettings } from './http.ts';
import { type IngestNode, type IngestNodeOptions, startIngestNode } from './ingest-node.ts';
import { keyKinds } from './product.ts';
import { roomForAll } from './storage-room.ts';
import { authority } from './webhooks.ts';

export const PATH = '/wms-ingest/v1';

export interface IngestScene {
  readonly url: string;
  readonly port: number;
  readonly address: DatabaseAddress;
  /** Settings that let commands connect to this installation. */
  readonly env: Readonly<Record<string, string>>;
  readonly errors: unknown[];
  /** The parts below HTTP, for unit tests. */
  readonly node: IngestNode;
  startWorkers(): void;
  /** Runs every periodic task of the surface once, immediately. */
  runChores(): Promise<void>;
  /** A client with a new key. */
  client(order?: Partial<KeyOrder>): Promise<IngestClient>;
}

export interface SceneOptions extends Partial<IngestNodeOptions> {
  readonly http?: Partial<HttpSettings>;
}

/** Starts the whole surface on loopback with its own database; stopped when the test ends. */
export async function startIngest(options: SceneOptions = {}): Promise<IngestScene> {
  const address = options.address ?? (await createDatabase());
  const blobRoot = options.blobRoot ?? (await mkdtemp(join(tmpdir(), 'rp-ingest-')));
  const errors: unknown[] = [];
  const onError = (error: unknown) => void errors.push(error);
  const { clock = systemClock } = options;
  const node = await startIngestNode({ ca: authority.ca, ...options, address, blobRoot, onError });
  const keys = new KeyRing({ kinds: keyKinds, db: node.database.db, clock, onTouchError: onError });
  onTestFinished(async () => {
    await node.stop();
    await rm(blobRoot, { recursive: true, force: true });
  });
  const allow = parseHostAllowList([...(options.webhookAllow ?? [])]);
  if (!allow.ok) throw new Error('bad allow list');
  const server = await startServer({
    settings: { ...testSettings, ...options.http },
    authenticate: keys.authenticate,
    surfaces: [
      node.work.routes({
        engine: node.engine,
        webhookAllow: allow.list,
        room: roomForAll(node.database.db),
      }),
    ],
  });
  if (options.workers !== 0) node.startWorkers();
  const client = async (order: Partial<KeyOrder> = {}) => {
    const made = await createKey(
      { db: node.database.db, kinds: keyKinds, clock, ids: systemIds, plan: 'unlimited' },
      { surface: 'ingest', account: 'demo', ...order },
    );
    if (!made.ok) throw new Error(made.reason);
    return new IngestClient(server.url, made.key);
  };
  return {
    url: server.url,
    port: server.port,
    address,
    env: {
      DATABASE_URL: databaseUrl(address),
      ROWPRESS_BLOBS: `file:${blobRoot}`,
      ROWPRESS_DATA_DIR: blobRoot,
    },
    errors,
    node,
    startWorkers: node.startWorkers,
    runChores: async () => {
      for (const { run } of node.work.chores) await run();
    },
    client,
  };
}

export interface IngestAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
  readonly body: any;
}

export interface PostOptions {
  readonly id?: string;
  readonly headers?: Record<string, string>;
  readonly type?: string;
}

export class IngestClient {
  readonly url: string;
  readonly key: string;

  constructor(url: string, key: string) {
    this.url = url;
    this.key = key;
  }

  get(path: string, headers: Record<string, string> = {}): Promise<IngestAnswer> {
    return this.#ask(path, { headers });
  }

  /** Sends a write with a fresh correlation id unless one is given. `body` is text, or a value to send as JSON. */
  post(path: string, body?: unknown, options: PostOptions = {}): Promise<IngestAnswer> {
    const content = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    const type = content === undefined ? {} : { 'content-type': options.type ?? 'application/json' };
    return this.#ask(path, {
      method: 'POST',
      headers: { 'x-correlation-id': options.id ?? randomUUID(), ...type, ...options.headers },
      ...(content !== undefined && { body: content }),
    });
  }

  send(path: string, items: readonly unknown[], options: PostOptions = {}): Promise<IngestAnswer> {
    return this.post(path, { items }, options);
  }

  /** Polls a job until it ends; the number of rounds is bounded, with a wait in each. */
  async ended(jobId: string): Promise<IngestAnswer['body']> {
    for (let round = 0; round < 1200; round += 1) {
      const { body } = await this.get(`/jobs/${jobId}`);
      if (body.status === 'COMPLETED' || body.status === 'FAILED') return body;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`job ${jobId} did not end`);
  }

  async #ask(path: string, init: RequestInit & { headers: Record<string, string> }): Promise<IngestAnswer> {
    const response = await fetch(`${this.url}${PATH}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${this.key}`, ...init.headers },
    });
    const text = await response.text();
    const isJson = /\bjson\b/.test(response.headers.get('content-type') ?? '') && !text.includes('\n{');
    const body = isJson ? JSON.parse(text) : undefined;
    const code = response.status >= 400 ? String(body?.type).split('#')[1] : undefined;
    const fault = undocumented(init.method ?? 'GET', `${PATH}${path}`, response.status, code);
    if (fault !== null) throw new Error(fault);
    return { status: response.status, headers: response.headers, text, body };
  }
}

/** Builds `count` SKUs that reference the given units in turn. */
export function skus(count: number, units: readonly string[] = ['EA'], from = 1): Record<string, unknown>[] {
  return Array.from({ length: count }, (_, i) => ({
    source_id: `SKU-${String(from + i).padStart(7, '0')}`,
    source_version: 1,
    name: `Article ${from + i}`,
    base_uom: units[i % units.length],
  }));
}
