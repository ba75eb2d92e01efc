import { ArchiveDirectory } from './archive-directory.ts';
import type { Check } from './download.ts';
import { requireSignature } from './manifest-signature.ts';
import { nodeHash, nodeModule, type Zlib } from './platform.ts';
import { RowpressError } from './rowpress-error.ts';
import { hex, Sha256 } from './sha256.ts';

const LOCAL_HEADER = 0x04034b50;
const DIRECTORY_RECORD = 0x02014b50;
const HEADER_LENGTH = 30;
const MANIFEST = 'manifest.json';
const SIGNATURE = 'manifest.sig';
/** Larger entries are inflated as a stream, so that they do not block the event loop. */
const INFLATE_AT_ONCE_BYTES = 1024 * 1024;

interface Manifest {
  readonly options?: { readonly dry_run?: boolean };
  readonly merged?: { readonly file_name: string; readonly sha256: string };
  readonly row_results: readonly { readonly file_name: string | null; readonly sha256?: string | null }[];
}

/**
 * Checks a result ZIP while it arrives: every PDF against the SHA-256 in `manifest.json`, which follows the PDFs, and the
 * manifest against `manifest.sig` if keys are given. The directory that follows must name the same entries. The server writes the sizes into the local headers, so nothing has to be
 * read twice.
 */
export class ArchiveCheck implements Check {
  readonly #digests = new Map<string, string>();
  readonly #signedBy: readonly string[] | undefined;
  #manifest: Manifest | undefined;
  #signature: string | undefined;
  readonly #directory = new ArchiveDirectory();
  #offset = 0;
  #pending: Uint8Array[] = [];
  #length = 0;
  #needed = HEADER_LENGTH;
  #ended = false;

  constructor(signedBy?: readonly string[] | undefined) {
    this.#signedBy = signedBy;
  }

  async push(chunk: Uint8Array): Promise<void> {
    if (this.#ended) return;
    this.#pending.push(chunk);
    this.#length += chunk.length;
    if (this.#length < this.#needed) return;
    let bytes = concat(this.#pending, this.#length);
    for (let used = 1; used > 0 && !this.#ended; ) {
      used = await this.#entry(bytes);
      bytes = bytes.subarray(used);
      this.#offset += used;
    }
    this.#pending = [bytes];
    this.#length = bytes.length;
  }

  async finish(): Promise<number> {
    if (this.#manifest === undefined) throw damaged(`the ZIP has no ${MANIFEST}`);
    if (!this.#directory.isComplete) throw damaged('its directory does not name every entry');
    if (this.#signedBy !== undefined)
      await requireSignature(this.#signature, this.#digests.get(MANIFEST) ?? '', this.#signedBy);
    const { options, merged, row_results } = this.#manifest;
    // A dry run names its files but has none.
    if (options?.dry_run === true) return 0;
    if (merged !== undefined) this.#compare(merged.file_name, merged.sha256);
    let checked = 0;
    for (const { file_name: name, sha256 } of row_results) {
      if (name === null || !sha256) continue;
      this.#compare(name, sha256);
      checked += 1;
    }
    return checked;
  }

  #compare(name: string, sha256: string): void {
    if (this.#digests.get(name) !== sha256)
      throw damaged(`${name} does not have the SHA-256 of the manifest`);
  }

  /** Reads one entry, or one record of the directory, and returns its length; 0 if it is not complete yet. */
  async #entry(bytes: Uint8Array): Promise<number> {
    this.#needed = HEADER_LENGTH;
    if (bytes.length < HEADER_LENGTH) return 0;
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    const kind = view.getUint32(0, true);
    if (kind === DIRECTORY_RECORD) return this.#record(bytes);
    if (kind !== LOCAL_HEADER) {
      this.#ended = true;
      return 0;
    }
    const deflated = view.getUint32(18, true);
    const nameLength = view.getUint16(26, true);
    const start = HEADER_LENGTH + nameLength + view.getUint16(28, true);
    this.#needed = start + deflated;
    if (bytes.length < this.#needed) return 0;
    const name = new TextDecoder().decode(bytes.subarray(HEADER_LENGTH, HEADER_LENGTH + nameLength));
    if (!this.#directory.addEntry(bytes.subarray(0, start), this.#offset))
      throw damaged(`${name} has more than one name`);
    const content = bytes.subarray(start, this.#needed);
    const plain = view.getUint16(8, true) === 0 ? content : await inflate(content).catch(() => undefined);
    if (plain === undefined) throw damaged(`${name} cannot be decompressed`);
    if (name === MANIFEST) this.#manifest = JSON.parse(new TextDecoder().decode(plain)) as Manifest;
    if (name === SIGNATURE) this.#signature = new TextDecoder().decode(plain);
    else this.#digests.set(name, await sha256Of(plain));
    return this.#needed;
  }

  #record(bytes: Uint8Array): number {
    const length = this.#directory.addRecord(bytes);
    if (length === null) throw damaged('its directory differs from its entries');
    return length;
  }
}

async function inflate(bytes: Uint8Array): Promise<Uint8Array> {
  const zlib = bytes.length > INFLATE_AT_ONCE_BYTES ? undefined : await nodeModule<Zlib>('node:zlib');
  if (zlib !== undefined) return zlib.inflateRawSync(bytes);
  const plain = new Blob([bytes as Uint8Array<ArrayBuffer>])
    .stream()
    .pipeThrough(new DecompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(plain).arrayBuffer());
}

async function sha256Of(bytes: Uint8Array): Promise<string> {
  const hash = await nodeHash();
  if (hash !== undefined) return hash.update(bytes).digest('hex');
  return hex(new Sha256().update(bytes).digest());
}

function concat(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const [first] = chunks;
  if (chunks.length === 1 && first !== undefined) return first;
  const all = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}

export const damaged = (reason: string) =>
  new RowpressError(`The downloaded file is damaged: ${reason}. Download it again.`, {
    code: 'CHECKSUM_MISMATCH',
    status: 0,
    retry: 'no',
  });
