import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from '#lib/errors/operator-error.ts';
import { ensureDataDir } from '#storage/data-dir.ts';
import { ensureSecretFile } from '#storage/secret-file.ts';
import type { BoxKey } from './sealed-box.ts';
import { SealedBox } from './sealed-box.ts';
import { InstallationSecret } from './secrets.ts';

export const SECRET_KEY_FILE = 'secret.key';

export interface SecretSettings {
  readonly dataDir: string;
  readonly secretKey: string | undefined;
  readonly secretKeyPrevious: readonly string[];
}

/**
 * The current installation secret and those it replaced. The current one seals and hashes; all of them open and verify,
 * until the operator retires them.
 */
export class SecretRing {
  #secrets: readonly InstallationSecret[];
  readonly #reload: () => readonly InstallationSecret[];
  #boxKeys = new Map<string, readonly BoxKey[]>();

  constructor(
    secrets: readonly [InstallationSecret, ...InstallationSecret[]],
    reload: () => readonly InstallationSecret[] = () => [],
  ) {
    this.#secrets = secrets;
    this.#reload = reload;
  }

  get current(): InstallationSecret {
    const [current] = this.#secrets;
    if (current === undefined) throw new Error('bug: the ring has no secret');
    return current;
  }

  /** Returns the current one first. */
  fingerprints(): string[] {
    return this.#secrets.map((secret) => secret.fingerprint());
  }

  box(purpose: string): SealedBox {
    return new SealedBox(
      () => this.#keysOf(purpose),
      () => this.#learn(),
    );
  }

  /** Hashes with the current secret, then with each earlier one. */
  keyedHashes(purpose: string, data: string): Buffer[] {
    return this.#secrets.map((secret) => secret.keyedHash(purpose, data));
  }

  #keysOf(purpose: string): readonly BoxKey[] {
    let keys = this.#boxKeys.get(purpose);
    if (keys === undefined) {
      keys = this.#secrets.map((secret) => secret.boxKey(purpose));
      this.#boxKeys.set(purpose, keys);
    }
    return keys;
  }

  /**
   * Reads the file again, because a command may have rotated the secret since this process started. New secrets are
   * only used to open: this process keeps sealing with the one it started with.
   */
  #learn(): boolean {
    const known = new Set(this.fingerprints());
    const added = this.#reload().filter((secret) => !known.has(secret.fingerprint()));
    if (added.length === 0) return false;
    this.#secrets = [...this.#secrets, ...added];
    this.#boxKeys.clear();
    return true;
  }
}

/**
 * Loads the secrets from `ROWPRESS_SECRET_KEY`, else from `secret.key` in the data directory, which is created at first
 * use. The first line of the file is the current secret; the others are earlier ones.
 */
export async function loadSecretRing(settings: SecretSettings): Promise<SecretRing> {
  const previous = settings.secretKeyPrevious.map((text) => parse(text, 'ROWPRESS_SECRET_KEY_PREVIOUS'));
  if (settings.secretKey !== undefined)
    return new SecretRing([parse(settings.secretKey, 'ROWPRESS_SECRET_KEY'), ...previous]);
  ensureDataDir(settings.dataDir);
  const path = join(settings.dataDir, SECRET_KEY_FILE);
  const [current, ...earlier] = parseLines(await ensureSecretFile(path), path);
  return new SecretRing([current, ...earlier, ...previous], () => readLines(path));
}

/**
 * The ring of an installation whose `secret.key` has this content. Reads nothing from the data directory and
 * makes no secret.
 */
export function secretRingOf(
  settings: Pick<SecretSettings, 'secretKey' | 'secretKeyPrevious'>,
  secretKeyFile: string | undefined,
): SecretRing {
  const previous = settings.secretKeyPrevious.map((text) => parse(text, 'ROWPRESS_SECRET_KEY_PREVIOUS'));
  if (settings.secretKey !== undefined)
    return new SecretRing([parse(settings.secretKey, 'ROWPRESS_SECRET_KEY'), ...previous]);
  if (secretKeyFile === undefined)
    throw new OperatorError(
      'The secret of this installation is needed to check its encrypted blobs. Set ROWPRESS_SECRET_KEY.',
    );
  const [current, ...earlier] = parseLines(secretKeyFile, SECRET_KEY_FILE);
  return new SecretRing([current, ...earlier, ...previous]);
}

/** Sealing never depends on this: a file that cannot be read now adds nothing. */
function readLines(path: string): InstallationSecret[] {
  try {
    return parseLines(readFileSync(path, 'utf8'), path);
  } catch {
    return [];
  }
}

function parseLines(text: string, path: string): [InstallationSecret, ...InstallationSecret[]] {
  const [current = '', ...earlier] = text.trim().split(/\s+/);
  return [parse(current, path), ...earlier.map((line) => parse(line, path))];
}

function parse(text: string, where: string): InstallationSecret {
  const secret = /^[0-9a-fA-F]{64}$/.test(text)
    ? Buffer.from(text, 'hex')
    : /^[A-Za-z0-9+/_-]{43}=?$/.test(text)
      ? Buffer.from(text, 'base64')
      : undefined;
  if (secret?.length === 32) return new InstallationSecret(secret);
  throw new OperatorError(
    `${where} must be 32 bytes, as 64 hexadecimal digits or as base64 (create one with openssl rand -hex 32).`,
  );
}
