import { accessSync, constants, statSync } from 'node:fs';
import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Config } from '#config.ts';
import { SECRET_KEY_FILE } from '#engine/secret-ring.ts';
import { OWN_COMMAND } from '#lib/built-programs.ts';
import { faultOf } from '#lib/errors/fault-of.ts';
import { OperatorError } from '#lib/errors/operator-error.ts';
import { blobStorePlace, openBlobStore } from '#storage/blobs/open-blob-store.ts';
import { probeStore } from '#storage/blobs/probe-store.ts';
import { ensureDataDir, exists } from '#storage/data-dir.ts';
import { reason } from '../files.ts';
import { examineDatabase } from './examine-database.ts';
import { examineSandbox } from './examine-sandbox.ts';
import { attempt, type Finding } from './finding.ts';

const GIB = 1024 ** 3;

export async function examine(config: Config): Promise<Finding[]> {
  return [
    examineNode(process.versions.node),
    await attempt('data directory', async () => examineDataDir(config.dataDir)),
    await attempt('disk space', () => examineSpace(nearest(config.dataDir))),
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

function examineDataDir(dataDir: string): Omit<Finding, 'name'> {
  if (exists(dataDir)) {
    ensureDataDir(dataDir);
    return { state: 'ok', detail: `${dataDir} is writable` };
  }
  requireCreatable(dataDir);
  const advice = `${OWN_COMMAND} serve creates it; if the installation is elsewhere, set ROWPRESS_DATA_DIR`;
  return { state: 'warning', detail: `${dataDir} does not exist yet`, advice };
}

/** Throws if the first start could not create this directory. */
function requireCreatable(path: string): void {
  const parent = nearest(path);
  try {
    // The trailing slash fails for anything but a directory.
    accessSync(`${parent}/`, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new OperatorError(`${path} cannot be created: ${parent}: ${reason(error)}`);
  }
}

/** Returns the path, or the nearest directory above it that exists. */
function nearest(path: string): string {
  return exists(path) || dirname(path) === path ? path : nearest(dirname(path));
}

async function examineSpace(directory: string): Promise<Omit<Finding, 'name'>> {
  const { bavail, bsize, blocks } = await statfs(directory);
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

async function examineBlobs(config: Config): Promise<Omit<Finding, 'name'>> {
  const place = blobStorePlace(config);
  if (config.blobs.kind !== 's3' && !exists(place)) {
    requireCreatable(place);
    return { state: 'ok', detail: `${place} does not exist yet; the first start creates it` };
  }
  if (exists(config.dataDir)) return probeBlobs(config, place);
  // An object store needs a directory for its uploads. Only the server creates the data directory.
  const temporary = await mkdtemp(join(tmpdir(), 'rowpress-doctor-'));
  try {
    return await probeBlobs({ ...config, dataDir: temporary }, place);
  } finally {
    await rm(temporary, { recursive: true });
  }
}

async function probeBlobs(config: Config, place: string): Promise<Omit<Finding, 'name'>> {
  const store = await openBlobStore(config);
  try {
    await probeStore(store);
  } catch (error) {
    throw faultOf(error) === undefined ? error : new OperatorError((error as Error).message);
  }
  return { state: 'ok', detail: `${place} can be written, read and deleted` };
}
