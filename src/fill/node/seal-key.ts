import { randomBytes } from 'node:crypto';
import { link, open, readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolders } from '#lib/make-folders.ts';
import { publicKeyOf } from '../package/signed-statement.ts';

/**
 * The installation's seal key: 32 secret bytes. It comes from the configuration, so that several nodes can share it, or from a
 * file in the data directory that is created on first use with mode 0600. Below the key, the file lists the public keys that
 * it replaced and whose packages are still accepted. Processes that start at the same time use the same key: the file is
 * created with `link`, which never replaces an existing file.
 */
export const SEAL_KEY_FILE = 'seal.key';

export interface SealKeySettings {
  readonly dataDir: string;
  /** 64 hex digits or the base64 of 32 bytes. Defaults to the key file in the data directory. */
  readonly sealKey: string | undefined;
  /** Further public keys whose packages are accepted, in the same forms. */
  readonly trustedSeals: readonly string[];
}

export type LoadedSealKey =
  | {
      readonly ok: true;
      readonly secretKey: Uint8Array;
      readonly publicKey: string;
      /** Public keys of earlier seal keys that the key file lists below the current one. */
      readonly earlier: readonly string[];
      readonly created: boolean;
    }
  | { readonly ok: false; readonly message: string };

export async function loadSealKey(settings: SealKeySettings): Promise<LoadedSealKey> {
  const existing = await findSealKey(settings);
  if (existing !== null) return existing;
  const path = join(settings.dataDir, SEAL_KEY_FILE);
  const created = await createKeyFile(settings.dataDir, path);
  return parsed(await readFile(path, 'utf8'), path, created);
}

/** The seal key as `loadSealKey` returns it, or null if there is none yet. Never creates a key. */
export async function findSealKey(settings: SealKeySettings): Promise<LoadedSealKey | null> {
  if (settings.sealKey !== undefined) return parsed(settings.sealKey, 'the configured seal key', false);
  const path = join(settings.dataDir, SEAL_KEY_FILE);
  const existing = await readIfPresent(path);
  return existing === null ? null : parsed(existing, path, false);
}

export type TrustedKeys =
  | { readonly ok: true; readonly keys: readonly string[] }
  | { readonly ok: false; readonly message: string };

/** The public keys that this installation accepts, in lower-case hex. Reading never creates a key. */
export async function trustedKeys(settings: SealKeySettings): Promise<TrustedKeys> {
  const keys: string[] = [];
  for (const text of settings.trustedSeals) {
    const key = keyBytes(text);
    if (key === null) return { ok: false, message: `the trusted seal "${text}" is not a public key` };
    keys.push(key.toString('hex'));
  }
  const loaded = await findSealKey(settings);
  if (loaded === null) return { ok: true, keys };
  return loaded.ok ? { ok: true, keys: [loaded.publicKey, ...loaded.earlier, ...keys] } : loaded;
}

async function createKeyFile(dataDir: string, path: string): Promise<boolean> {
  makeFolders(dataDir, 0o700);
  const secret = randomBytes(32);
  const temporary = `${path}.${randomBytes(6).toString('hex')}`;
  const file = await open(temporary, 'wx', 0o600);
  try {
    await file.writeFile(`${secret.toString('hex')}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  try {
    await link(temporary, path);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  } finally {
    await unlink(temporary);
  }
}

function parsed(text: string, where: string, created: boolean): LoadedSealKey {
  const [secretKey, ...earlier] = text.trim().split(/\s+/).map(keyBytes);
  if (secretKey == null || earlier.includes(null)) {
    return { ok: false, message: `${where} is not a seal key (64 hex digits or the base64 of 32 bytes)` };
  }
  return {
    ok: true,
    secretKey: new Uint8Array(secretKey),
    publicKey: publicKeyOf(secretKey),
    earlier: earlier.flatMap((key) => (key === null ? [] : [key.toString('hex')])),
    created,
  };
}

/** Reads a key as 64 hex digits or the base64 of 32 bytes; null if it is neither. */
export function keyBytes(text: string): Buffer | null {
  const trimmed = text.trim();
  if (/^[0-9a-fA-F]{64}$/.test(trimmed)) return Buffer.from(trimmed, 'hex');
  return /^[A-Za-z0-9+/_-]{43}=?$/.test(trimmed) ? Buffer.from(trimmed, 'base64') : null;
}

async function readIfPresent(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

const errorCode = (error: unknown) =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
