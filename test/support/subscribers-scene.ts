import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
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
): Promise<Scene> {
  const address = options.address ?? (await createDatabase());
  const blobRoot = options.blobRoot ?? (await temporaryDirectory());
  const node = await startSubscribers({ ca: authority.ca, ...options, address, blobRoot });
  onTestFinished(() => node.stop());
  if (options.idle !== true) node.work();
  const client = async (account: string, scopes?: readonly string[]) =>
    new ApiClient(node.url, await node.newKey(account, scopes));
  return { node, api: await client('demo'), client };
}

export const EMAIL = { csv_column: 'Email', field: { type: 'email' } };
export const NAME = { csv_column: 'Name', field: { type: 'name' } };

/** Imports and waits for the end. */
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

/** A directory that is gone when the test ends. */
export async function temporaryDirectory(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'rowpress-subs-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}
