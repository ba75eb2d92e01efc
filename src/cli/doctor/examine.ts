import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '#config.ts';
import { SECRET_KEY_FILE } from '#engine/secret-ring.ts';
import { faultOf } from '#lib/errors/fault-of.ts';
import { OperatorError } from '#lib/errors/operator-error.ts';
import { blobStorePlace, openBlobStore } from '#storage/blobs/open-blob-store.ts';
import { ensureDataDir } from '#storage/data-dir.ts';
import { examineDatabase } from './examine-database.ts';
import { examineSandbox } from './examine-sandbox.ts';
import { attempt, type Finding } from './finding.ts';

const GIB = 1024 ** 3;

export async function examine(config: Config): Promise<Finding[]> {
  return [
    examineNode(process.versions.node),
    await attempt('data directory', async () => {
      ensureDataDir(config.dataDir);
      return { state: 'ok', detail: `${config.dataDir} is writable` };
    }),
    await attempt('disk space', () => examineSpace(config.dataDir)),
    examineSecret(config),
    await attempt('blob store', () => examineBlobs(config)),
    examineSandbox(config.sandbox),
    ...(await examineDatabase(config)),
  ];
}

export function examineNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const name = 'node';
  if (major > 22 || (major === 22 && minor >= 18)) return { name, state: 'ok', detail: version };
  const advice = 'run `npm ci`, which installs the pinned version, or install Node.js 22.18 or newer';
  return { name, state: 'failed', detail: `${version} cannot run TypeScript directly`, advice };
}

async function examineSpace(dataDir: string): Promise<Omit<Finding, 'name'>> {
  const { bavail, bsize, blocks } = await statfs(dataDir);
  const free = bavail * bsize;
  const detail = `${(free / GIB).toFixed(1)} GiB free (${Math.round((bavail / blocks) * 100)} %)`;
  if (free >= GIB) return { state: 'ok', detail };
  const advice = 'free some space: with a full disk, creates are rejected with STORAGE_FULL';
  return { state: free < GIB / 10 ? 'failed' : 'warning', detail, advice };
}

function examineSecret({ secretKey, dataDir }: Config): Finding {
  const name = 'secret key';
  if (secretKey !== undefined) return { name, state: 'ok', detail: 'from ROWPRESS_SECRET_KEY' };
  const path = join(dataDir, SECRET_KEY_FILE);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return { name, state: 'ok', detail: 'created at the first start' };
  if ((found.mode & 0o077) === 0) return { name, state: 'ok', detail: path };
  return {
    name,
    state: 'warning',
    detail: `${path} is readable by other users`,
    advice: `chmod 600 ${path}`,
  };
}

/** Checks every operation that the server uses. The probe is random, so it cannot be an existing blob. */
async function examineBlobs(config: Config): Promise<Omit<Finding, 'name'>> {
  const place = blobStorePlace(config);
  const store = await openBlobStore(config);
  const probe = randomBytes(64);
  try {
    const staged = await store.receive(once(probe));
    await staged.keep();
    const read: Uint8Array[] = [];
    for await (const part of store.read(staged.digest)) read.push(part);
    await store.delete(staged.digest);
    if (!Buffer.concat(read).equals(probe)) throw new Error(`${place} returned other bytes than were stored`);
  } catch (error) {
    throw faultOf(error) === undefined ? error : new OperatorError((error as Error).message);
  }
  return { state: 'ok', detail: `${place} can be written, read and deleted` };
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
