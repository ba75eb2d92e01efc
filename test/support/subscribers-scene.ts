import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { createDatabase } from './database.ts';
import {
  ApiClient,
  type Json,
  type SubscribersNode,
  type SubscribersOptions,
  startSubscribers,
} from './subscribers-node.ts';
import { authority } from './webhooks.ts';

export interface Scene {
  readonly node: SubscribersNode;
  readonly api: ApiClient;
  /** A client of another account, or of this one with fewer scopes. */
  client(account: string, scopes?: readonly string[]): Promise<ApiClient>;
}

/** A node with workers and a client of the account `demo`; stopped when the test ends. */
export async function openScene(
  options: Partial<SubscribersOptions> & { readonly idle?: boolean } = {},
  cleanUp: (work: () => Promise<void>) => void = onTestFinished,
): Promise<Scene> {
  const address = options.address ?? (await createDatabase());
  const blobRoot = options.blobRoot ?? (await temporaryDirectory(cleanUp));
  const node = await startSubscribers({ ca: authority.ca, ...options, address, blobRoot });
  cleanUp(() => node.stop());
  if (options.idle !== true) node.work();
  const client = async (account: string, scopes?: readonly string[]) =>
    new ApiClient(node.url, await node.newKey(account, scopes));
  return { node, api: await client('demo'), client };
}

export const EMAIL = { csv_column: 'Email', field: { type: 'email' } };
export const NAME = { csv_column: 'Name', field: { type: 'name' } };

/** Runs an import and waits until it ends. */
export async function importCsv(
  api: ApiClient,
  csv_text: string,
  more: Record<string, unknown> = {},
): Promise<Json> {
  const { status, body } = await api.post('/v1/jobs/subscriber-imports', {
    csv_text,
    mappings: [EMAIL, NAME],
    ...more,
  });
  if (status !== 202) throw new Error(`the import was refused: ${JSON.stringify(body)}`);
  return api.ended(body.data.self);
}

export async function exportAll(
  api: ApiClient,
  body?: unknown,
): Promise<{ job: Json; text: string; response: Response }> {
  const { body: created } = await api.post('/v1/jobs/subscriber-exports', body);
  const job = await api.ended(created.data.self);
  const response = await fetch(job.download_url);
  return { job, text: await response.text(), response };
}

/** A directory that is removed when the test ends. */
export async function temporaryDirectory(
  cleanUp: (work: () => Promise<void>) => void = onTestFinished,
): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'rowpress-subs-'));
  cleanUp(() => rm(path, { recursive: true, force: true }));
  return path;
}

/** One scene for all tests of a file; each test uses its own account. */
export function sharedScene(options: Partial<SubscribersOptions> = {}): () => Scene {
  const cleanUps: (() => Promise<void>)[] = [];
  let scene: Scene | undefined;
  beforeAll(async () => {
    scene = await openScene(options, (work) => void cleanUps.unshift(work));
  });
  afterAll(async () => {
    for (const work of cleanUps) await work();
    if (scene !== undefined) expect(scene.node.errors).toEqual([]);
  });
  return () => {
    if (scene === undefined) throw new Error('the scene is not open yet');
    return scene;
  };
}
