import { createHash, hkdfSync, randomBytes } from 'node:crypto';
import { open, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { constants, crc32, deflateRaw } from 'node:zlib';
import canonicalize from 'canonicalize';
import { ChunkCipher } from '#lib/encryption/chunk-cipher.ts';
import { opened, sealed } from '#lib/encryption/chunk-stream.ts';
import { makeFolders } from '#lib/make-folders.ts';
import type { FillPlan } from '../fill-plan.ts';
import type { BaseFacts, PreparedBase } from '../prepare/prepared-base.ts';
import { engineName } from './engine-name.ts';
import { decodeMessage, encodeMessage } from './message.ts';

/**
 * Prepared bases with their deflated form, one file per (owner, engine, source, layout, assets, options that shape the base).
 * A second job with the same template prepares nothing. Files are written under a temporary name and renamed, so that a
 * reader sees a complete file or none. A file that cannot be read is treated as absent.
 */
export interface StoredBase {
  readonly base: PreparedBase;
  readonly deflated: Uint8Array;
}

const deflateAsync = promisify(deflateRaw);

/** The same bytes as `nativeCodec.deflateOpen`, off the event loop. */
export async function withDeflated(base: PreparedBase): Promise<StoredBase> {
  return { base, deflated: await deflateAsync(base.bytes, { finishFlush: constants.Z_FULL_FLUSH }) };
}

export function baseKey(owner: string, sourceSha256: string, plan: FillPlan): string {
  const assets = [...plan.assets]
    .map(([name, bytes]) => [name, createHash('sha256').update(bytes).digest('hex')])
    .sort();
  const identity = canonicalize({
    owner,
    engine: engineName(plan.options.keepActions),
    source: sourceSha256,
    layout: plan.layout,
    assets,
    flattenForms: plan.options.flattenForms,
    includeStickers: plan.options.includeStickers,
  });
  return createHash('sha256')
    .update(identity ?? '')
    .digest('hex');
}

let puts = 0;

export class BaseCache {
  readonly #directory: string;
  readonly #maxBytes: number;
  readonly #secret: Buffer | undefined;

  /** With a secret, files are encrypted: a random salt, then the chunks. Plain files of earlier runs are not read. */
  constructor(directory: string, maxBytes: number = Number.POSITIVE_INFINITY, secret?: Buffer) {
    this.#directory = directory;
    this.#maxBytes = maxBytes;
    this.#secret = secret;
  }

  async find(key: string): Promise<StoredBase | undefined> {
    const file = this.#file(key);
    try {
      const bytes = await this.#open(key, await readFile(file));
      const body = bytes.subarray(0, -4);
      if (crc32(body) !== bytes.readUInt32LE(body.length)) return undefined;
      const { head, blocks } = decodeMessage(body);
      const [base, deflated] = blocks;
      if (base === undefined || deflated === undefined) return undefined;
      const now = new Date();
      await utimes(file, now, now);
      return { base: { bytes: base, facts: head as BaseFacts }, deflated };
    } catch {
      return undefined;
    }
  }

  /** Stores a base. If that fails (a full disk, a folder that cannot be written), the next job prepares it again. */
  async put(key: string, stored: StoredBase): Promise<void> {
    // Two layouts may need one base at the same moment.
    puts += 1;
    const aside = `${this.#file(key)}.${process.pid}-${puts}.tmp`;
    try {
      makeFolders(this.#directory, 0o700);
      await this.#write(key, aside, stored);
      await rename(aside, this.#file(key));
      await this.trim();
    } catch {
      await rm(aside, { force: true }).catch(() => {});
    }
  }

  /** Removes bases that were not used for `maxAgeMs`. Safe to run on every node at any time. */
  async sweep(now: Date, maxAgeMs: number): Promise<number> {
    const old = (await this.#files()).filter(({ usedAt }) => now.getTime() - usedAt > maxAgeMs);
    for (const { file } of old) await rm(file, { force: true });
    return old.length;
  }

  /** Removes bases, those unused for longest first, until the others fit. A job has its own copy of its base. */
  async trim(): Promise<number> {
    if (this.#maxBytes === Number.POSITIVE_INFINITY) return 0;
    const files = (await this.#files()).sort((a, b) => a.usedAt - b.usedAt);
    let bytes = files.reduce((sum, { size }) => sum + size, 0);
    let removed = 0;
    for (const { file, size } of files) {
      if (bytes <= this.#maxBytes) break;
      await rm(file, { force: true });
      bytes -= size;
      removed += 1;
    }
    return removed;
  }

  async #write(key: string, path: string, { base, deflated }: StoredBase): Promise<void> {
    const handle = await open(path, 'w', 0o600);
    try {
      for await (const piece of this.#seal(key, content(base, deflated))) await handle.writeFile(piece);
    } finally {
      await handle.close();
    }
  }

  async *#seal(key: string, plain: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    if (this.#secret === undefined) return yield* plain;
    const salt = randomBytes(SALT_BYTES);
    yield salt;
    yield* sealed(cipherOf(this.#secret, salt, key), plain);
  }

  async #open(key: string, bytes: Buffer): Promise<Buffer> {
    if (this.#secret === undefined) return bytes;
    const parts: Buffer[] = [];
    const cipher = cipherOf(this.#secret, bytes.subarray(0, SALT_BYTES), key);
    for await (const part of opened(cipher, once(bytes.subarray(SALT_BYTES)))) parts.push(part);
    return Buffer.concat(parts);
  }

  async #files(): Promise<{ readonly file: string; readonly size: number; readonly usedAt: number }[]> {
    const names = await readdir(this.#directory).catch(() => []);
    const found = await Promise.all(
      names.map(async (name) => {
        const file = path.join(this.#directory, name);
        const seen = await stat(file).catch(() => null);
        return seen === null ? [] : [{ file, size: seen.size, usedAt: seen.mtimeMs }];
      }),
    );
    return found.flat();
  }

  #file(key: string): string {
    return path.join(this.#directory, `${key}.${this.#secret === undefined ? 'base' : 'sealed'}`);
  }
}

/** The message of a stored base and its checksum. */
async function* content(base: PreparedBase, deflated: Uint8Array): AsyncGenerator<Uint8Array> {
  let checksum = 0;
  for (const piece of encodeMessage({ head: base.facts, blocks: [base.bytes, deflated] })) {
    checksum = crc32(piece, checksum);
    yield piece;
  }
  const ending = Buffer.alloc(4);
  ending.writeUInt32LE(checksum);
  yield ending;
}

const SALT_BYTES = 32;

/**
 * A key for one file, because a base may be prepared twice with different bytes. The key of the base, which names its
 * owner, is authenticated: a file under the name of another one cannot be opened.
 */
function cipherOf(secret: Buffer, salt: Buffer, baseKey: string): ChunkCipher {
  const key = Buffer.from(hkdfSync('sha256', secret, salt, 'rowpress/prepared-base', 32));
  return new ChunkCipher(key, Buffer.from(baseKey));
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
