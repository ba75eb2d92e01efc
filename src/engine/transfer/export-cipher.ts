import { createHmac, hkdfSync, randomBytes, scrypt } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { ChunkCipher } from '#lib/encryption/chunk-cipher.ts';
import { OperatorError } from '#lib/errors/operator-error.ts';

/**
 * The encryption of an export. `encryption.json` describes how the passphrase becomes a key and is the only plaintext
 * file. Every other file has its own key, derived from its name, so that files cannot be swapped. Blobs are named by a
 * keyed hash of their digest, so that their names do not reveal their content.
 */
const schema = z.object({
  format: z.literal('rowpress.export.encrypted'),
  version: z.literal(1),
  kdf: z.object({
    name: z.literal('scrypt'),
    // Upper limits, so that a foreign file cannot exhaust the memory of this machine.
    N: z
      .int()
      .min(2)
      .max(2 ** 20),
    r: z.int().min(1).max(16),
    p: z.int().min(1).max(4),
    salt: z.base64().length(24),
  }),
  /** Distinguishes a wrong passphrase from a damaged file. */
  check: z.base64(),
});
type Description = z.infer<typeof schema>;

/** About 0.3 s and 128 MiB per guess (RFC 7914; the cost that OWASP recommends). */
const COST = { N: 2 ** 17, r: 8, p: 1 };
const MIN_PASSPHRASE = 8;

export class ExportCipher {
  readonly #master: Buffer;

  constructor(master: Buffer) {
    this.#master = master;
  }

  /** `name` is the path inside the export. */
  of(name: string): ChunkCipher {
    return new ChunkCipher(this.#derive(`file/${name}`), Buffer.from(name));
  }

  blobName(digest: string): string {
    return createHmac('sha256', this.#derive('names')).update(digest).digest('hex');
  }

  #derive(purpose: string): Buffer {
    return Buffer.from(hkdfSync('sha256', this.#master, Buffer.alloc(0), `rowpress/export/${purpose}`, 32));
  }
}

const descriptionOf = (directory: string) => join(directory, 'encryption.json');
const CHECK = Buffer.from('rowpress.export');

export async function createExportCipher(directory: string, passphrase: string): Promise<ExportCipher> {
  const salt = randomBytes(16);
  const cipher = new ExportCipher(await stretch(passphrase, { ...COST, salt }));
  const description: Description = {
    format: 'rowpress.export.encrypted',
    version: 1,
    kdf: { name: 'scrypt', ...COST, salt: salt.toString('base64') },
    check: cipher.of('encryption.json').seal(0, true, CHECK).toString('base64'),
  };
  const options = { mode: 0o600, flush: true };
  await writeFile(descriptionOf(directory), `${JSON.stringify(description, null, 2)}\n`, options);
  return cipher;
}

/** Returns undefined for an unencrypted export. */
export async function openExportCipher(
  directory: string,
  passphrase: string | undefined,
): Promise<ExportCipher | undefined> {
  const text = await readFile(descriptionOf(directory), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) {
    if (passphrase === undefined) return undefined;
    throw new OperatorError(
      `${directory} is not an encrypted export: it has no encryption.json. Import it without --passphrase-file, or restore the file.`,
    );
  }
  if (passphrase === undefined)
    throw new OperatorError(`${directory} is encrypted. Pass its passphrase with --passphrase-file.`);
  const { kdf, check } = parse(text, directory);
  const cipher = new ExportCipher(
    await stretch(passphrase, { ...kdf, salt: Buffer.from(kdf.salt, 'base64') }),
  );
  try {
    cipher.of('encryption.json').open(0, true, Buffer.from(check, 'base64'));
  } catch {
    throw new OperatorError(`Wrong passphrase for ${directory}.`);
  }
  return cipher;
}

/** Returns the first line of the file, without the line end. */
export async function readPassphrase(path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch((error: Error) => {
    throw new OperatorError(`Cannot read the passphrase file (${error.message}).`);
  });
  const [passphrase = ''] = text.split(/\r?\n/, 1);
  if (passphrase.length < MIN_PASSPHRASE)
    throw new OperatorError(
      `The first line of ${path} must be a passphrase of at least ${MIN_PASSPHRASE} characters; it has ${passphrase.length}.`,
    );
  return passphrase;
}

function parse(text: string, directory: string): Description {
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    throw new OperatorError(`${descriptionOf(directory)} is damaged, or was written by a newer release.`);
  }
}

function stretch(
  passphrase: string,
  { N, r, p, salt }: { readonly N: number; readonly r: number; readonly p: number; readonly salt: Buffer },
): Promise<Buffer> {
  // The same characters can be typed in more than one Unicode form.
  const secret = passphrase.normalize('NFC');
  const options = { N, r, p, maxmem: 256 * N * r };
  return new Promise((resolve, reject) =>
    scrypt(secret, salt, 32, options, (error, key) => (error === null ? resolve(key) : reject(error))),
  );
}
