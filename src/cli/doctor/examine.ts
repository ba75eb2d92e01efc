import { statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../config.ts';
import { SECRET_KEY_FILE } from '../../engine/secrets.ts';
import { OperatorError } from '../../lib/errors/operator-error.ts';
import { openBlobStore } from '../../storage/blobs/open-blob-store.ts';
import { ensureDataDir } from '../../storage/data-dir.ts';
import { examineDatabase } from './examine-database.ts';

/** `warning`: it works, but will not for ever or not well. */
export interface Finding {
  readonly name: string;
  readonly state: 'ok' | 'warning' | 'failed';
  readonly detail: string;
  readonly advice?: string;
}

const GIB = 1024 ** 3;

export async function examine(config: Config): Promise<Finding[]> {
  return [
    examineNode(process.versions.node),
    await attempt('data directory', async () => {
      ensureDataDir(config.dataDir);
      return { state: 'ok', detail: `${config.dataDir} can be written` };
    }),
    await attempt('disk space', () => examineSpace(config.dataDir)),
    examineSecret(config),
    await attempt('blob store', () => examineBlobs(config)),
    ...(await examineDatabase(config)),
  ];
}

/** A check that throws has failed; what it throws is written for the operator where it can be. */
export async function attempt(name: string, check: () => Promise<Omit<Finding, 'name'>>): Promise<Finding> {
  try {
    return { name, ...(await check()) };
  } catch (error) {
    const detail = (error as Error).message;
    return error instanceof OperatorError
      ? { name, state: 'failed', detail }
      : { name, state: 'failed', detail, advice: 'see docs/guides/run-in-production.md' };
  }
}

export function examineNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const name = 'node';
  if (major > 22 || (major === 22 && minor >= 18)) return { name, state: 'ok', detail: version };
  const advice = 'run `npm ci`, which brings the pinned version, or install Node.js 22.18 or newer';
  return { name, state: 'failed', detail: `${version} cannot run TypeScript directly`, advice };
}

async function examineSpace(dataDir: string): Promise<Omit<Finding, 'name'>> {
  const { bavail, bsize, blocks } = await statfs(dataDir);
  const free = bavail * bsize;
  const detail = `${(free / GIB).toFixed(1)} GiB free (${Math.round((bavail / blocks) * 100)} %)`;
  if (free >= GIB) return { state: 'ok', detail };
  const advice = 'make room: with a full disk, creates are refused with STORAGE_FULL';
  return { state: free < GIB / 10 ? 'failed' : 'warning', detail, advice };
}

function examineSecret({ secretKey, dataDir }: Config): Finding {
  const name = 'secret key';
  if (secretKey !== undefined) return { name, state: 'ok', detail: 'from ROWPRESS_SECRET_KEY' };
  const path = join(dataDir, SECRET_KEY_FILE);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return { name, state: 'ok', detail: 'is made at the first start' };
  if ((found.mode & 0o077) === 0) return { name, state: 'ok', detail: path };
  return { name, state: 'warning', detail: `${path} can be read by others`, advice: `chmod 600 ${path}` };
}

async function examineBlobs(config: Config): Promise<Omit<Finding, 'name'>> {
  const store = await openBlobStore(config);
  const staged = await store.receive(once(Buffer.from('rowpress doctor')));
  await staged.discard();
  return { state: 'ok', detail: `${config.blobs || join(config.dataDir, 'blobs')} can be written` };
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
