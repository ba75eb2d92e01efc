import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, opendir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { OperatorError } from '#lib/errors/operator-error.ts';
import type { BlobStore } from '#storage/blobs/blob-store.ts';
import { DamagedChunk } from '#lib/encryption/chunk-cipher.ts';
import { opened, sealing } from '#lib/encryption/chunk-stream.ts';
import type { ExportCipher } from './export-cipher.ts';

const fileOf = (root: string, name: string) => join(root, name.slice(0, 2), name);

/** Copies blobs into an encrypted export. Each is hashed on the way, so a damaged one cannot pass. */
export async function sealBlobs(
  digests: Iterable<string>,
  from: BlobStore,
  { root, cipher }: { readonly root: string; readonly cipher: ExportCipher },
  onCopied: (count: number) => void,
): Promise<number> {
  let count = 0;
  for (const digest of digests) {
    const name = cipher.blobName(digest);
    const path = fileOf(root, name);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const hash = createHash('sha256');
    const hashed = async function* () {
      for await (const part of from.read(digest)) {
        hash.update(part);
        yield part;
      }
    };
    const file = createWriteStream(path, { mode: 0o600, flush: true });
    await pipeline(hashed, sealing(cipher.of(`blobs/${name}`)), file);
    const found = hash.digest('hex');
    if (found !== digest) throw new OperatorError(`The blob ${digest} is damaged: its content is ${found}.`);
    count += 1;
    onCopied(count);
  }
  return count;
}

/** Restores the blobs of an encrypted export; the name of each must belong to its content. */
export async function openBlobs(
  { root, cipher }: { readonly root: string; readonly cipher: ExportCipher },
  to: BlobStore,
  onCopied: (count: number) => void,
): Promise<number> {
  let count = 0;
  for await (const name of listNames(root)) {
    const path = fileOf(root, name);
    const plain = opened(cipher.of(`blobs/${name}`), createReadStream(path));
    const staged = await to.receive(plain).catch((error: unknown) => {
      if (!(error instanceof DamagedChunk)) throw error;
      throw new OperatorError(`${path} is damaged or cut short.`);
    });
    if (cipher.blobName(staged.digest) !== name) {
      await staged.discard();
      throw new OperatorError(`${path} holds another blob than its name says.`);
    }
    await staged.keep();
    count += 1;
    onCopied(count);
  }
  return count;
}

async function* listNames(root: string): AsyncGenerator<string> {
  const folders = await opendir(root).catch(() => []);
  for await (const folder of folders) {
    if (!folder.isDirectory() || !/^[0-9a-f]{2}$/.test(folder.name)) continue;
    for await (const { name } of await opendir(join(root, folder.name)))
      if (/^[0-9a-f]{64}$/.test(name)) yield name;
  }
}
