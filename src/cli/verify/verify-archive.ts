import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import type { Entry, ZipFile } from 'yauzl';
import { MAX_SIGNATURE_BYTES, SIGNATURE_NAME, signerOf } from '#fill/results/manifest-signature.ts';
import { CommandFailed } from '../command-failed.ts';
import { reason } from '../files.ts';
import { contentOf, nameOf, openZip } from './archive-entries.ts';
import { EntryDigests } from './entry-digests.ts';
import {
  type ManifestMembers,
  ManifestReader,
  type ManifestRow,
  ManifestUnreadable,
} from './manifest-reader.ts';

const MANIFEST = 'manifest.json';
/** The archive of a job can have 100,000 wrong rows. All are counted, the first ones are listed. */
const LISTED_PROBLEMS = 1000;

export type ProblemKind =
  /** The bytes are intact and are not those of the manifest. */
  | 'changed'
  /** The entry cannot be unpacked, its checksum differs, or readers may see it under different names. */
  | 'damaged'
  /** The manifest names a file that the archive lacks. */
  | 'missing'
  /** The archive has a file that the manifest does not name, or has it twice. */
  | 'surplus'
  /** The file does not sign this manifest. */
  | 'signature';

export interface ArchiveProblem {
  readonly kind: ProblemKind;
  readonly file_name: string;
  readonly row_number: number | null;
}

export interface ArchiveVerdict {
  readonly rows: number;
  /** Number of row PDFs whose SHA-256 is that of the manifest. */
  readonly verified: number;
  /** Rows without a PDF and without a page in the PDF of all rows, as the manifest says. */
  readonly withoutPdf: number;
  /** The PDF of all rows, or null if the manifest names none. */
  readonly merged: { readonly file_name: string; readonly rows: number; readonly ok: boolean } | null;
  readonly dryRun: boolean;
  /** The public key in hex whose signature of the manifest is valid; null if there is none. */
  readonly signer: string | null;
  readonly problemCount: number;
  readonly problems: readonly ArchiveProblem[];
}

/**
 * Compares every entry of an archive with its manifest. Rows and entries are read side by side and forgotten once they are
 * compared. The two have the same order, so memory does not grow with the archive.
 */
export async function verifyArchive(
  path: string,
  onStart: (entries: number) => void = () => undefined,
  onEntry: () => void = () => undefined,
): Promise<ArchiveVerdict> {
  const file = await openFile(path);
  try {
    const zip = await openZip(path, file);
    onStart(zip.entryCount);
    return await new Comparison(path, file, zip, onEntry).run();
  } finally {
    await file.close();
  }
}

async function openFile(path: string): Promise<FileHandle> {
  try {
    const file = await open(path);
    if ((await file.stat()).isFile()) return file;
    await file.close();
  } catch (error) {
    throw new CommandFailed('USAGE', `${path} cannot be read: ${reason(error)}`);
  }
  throw new CommandFailed('USAGE', `${path} is not a file.`);
}

interface Expected {
  readonly row_number: number | null;
  readonly sha256: string;
}

class Comparison {
  readonly #path: string;
  readonly #file: FileHandle;
  readonly #zip: ZipFile;
  readonly #entryDigests: EntryDigests;
  readonly #onEntry: () => void;
  /** Rows whose entry has not been read yet, and digests of entries whose row has not; by file name. */
  readonly #rows = new Map<string, Expected>();
  readonly #digests = new Map<string, string | null>();
  readonly #problems: ArchiveProblem[] = [];
  #problemCount = 0;
  #verified = 0;
  #withoutPdf = 0;
  #mergedRows = 0;
  readonly #manifestDigest = createHash('sha256');
  #signature: Entry | undefined;

  constructor(path: string, file: FileHandle, zip: ZipFile, onEntry: () => void) {
    this.#path = path;
    this.#file = file;
    this.#zip = zip;
    this.#entryDigests = new EntryDigests(zip, file);
    this.#onEntry = onEntry;
  }

  async run(): Promise<ArchiveVerdict> {
    const entries = this.#entries();
    const reader = new ManifestReader();
    for await (const rows of this.#rowsOf(await this.#findManifest(), reader)) {
      for (const row of rows) {
        this.#addRow(row);
        if (row.sha256 !== null) await this.#addEntry(entries);
      }
    }
    while (await this.#addEntry(entries));
    const members = this.#manifest(() => reader.end());
    const dryRun = members.options.dry_run === true;
    if (!dryRun) for (const [name, { row_number }] of this.#rows) this.#report('missing', name, row_number);
    const signer = await this.#signer(members);
    const merged = members.merged === undefined ? null : this.#takeMerged(members.merged);
    for (const name of this.#digests.keys()) this.#report('surplus', name);
    return {
      rows: members.rows,
      verified: this.#verified,
      withoutPdf: this.#withoutPdf,
      merged,
      dryRun,
      signer,
      problemCount: this.#problemCount,
      problems: this.#problems,
    };
  }

  async #findManifest(): Promise<Entry> {
    for await (const entry of this.#directory()) if (nameOf(entry) === MANIFEST) return entry;
    throw new CommandFailed('ARCHIVE_DAMAGED', `${this.#path} has no ${MANIFEST}.`);
  }

  async *#rowsOf(manifest: Entry, reader: ManifestReader): AsyncGenerator<ManifestRow[]> {
    if (!(await this.#entryDigests.isNamedOnce(manifest))) this.#refuse('is damaged');
    const pieces = contentOf(this.#zip, manifest);
    for (;;) {
      const { done, value } = await pieces.next().catch(() => this.#refuse('is damaged'));
      if (done) return;
      this.#manifestDigest.update(value);
      yield this.#manifest(() => reader.push(value));
    }
  }

  #manifest<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      if (error instanceof ManifestUnreadable) this.#refuse(error.message);
      throw error;
    }
  }

  #refuse(what: string): never {
    throw new CommandFailed('ARCHIVE_DAMAGED', `${this.#path}: ${MANIFEST} ${what}.`);
  }

  async *#entries(): AsyncGenerator<Entry> {
    let manifests = 0;
    for await (const entry of this.#directory()) {
      this.#onEntry();
      const name = nameOf(entry);
      if (name === SIGNATURE_NAME && this.#signature === undefined) this.#signature = entry;
      else if (name !== MANIFEST) yield entry;
      else {
        manifests += 1;
        if (manifests > 1) this.#report('surplus', MANIFEST);
      }
    }
  }

  async *#directory(): AsyncGenerator<Entry> {
    // Each pass over the directory needs its own reader.
    const zip = await openZip(this.#path, this.#file);
    try {
      yield* zip.eachEntry();
    } catch {
      throw new CommandFailed('ARCHIVE_DAMAGED', `The directory of ${this.#path} is damaged.`);
    }
  }

  #addRow({ row_number, file_name, sha256, first_page }: ManifestRow): void {
    const isMerged = typeof first_page === 'number';
    if (isMerged) this.#mergedRows += 1;
    if (sha256 === null || file_name === null) {
      if (!isMerged) this.#withoutPdf += 1;
      return;
    }
    const digest = this.#digests.get(file_name);
    if (digest !== undefined) {
      this.#digests.delete(file_name);
      this.#compare(file_name, { row_number, sha256 }, digest);
    } else if (this.#rows.has(file_name)) this.#report('missing', file_name, row_number);
    else this.#rows.set(file_name, { row_number, sha256 });
  }

  /** Reads one more entry. Returns false if there is none. */
  async #addEntry(entries: AsyncGenerator<Entry>): Promise<boolean> {
    const { done, value: entry } = await entries.next();
    if (done) return false;
    const name = nameOf(entry);
    const digest = await this.#entryDigests.of(entry);
    const row = this.#rows.get(name);
    if (row !== undefined) {
      this.#rows.delete(name);
      this.#compare(name, row, digest);
    } else if (this.#digests.has(name)) this.#report('surplus', name);
    else this.#digests.set(name, digest);
    return true;
  }

  #takeMerged({ file_name, sha256 }: NonNullable<ManifestMembers['merged']>): ArchiveVerdict['merged'] {
    const digest = this.#digests.get(file_name);
    this.#digests.delete(file_name);
    if (digest === undefined) this.#report('missing', file_name);
    const ok = digest !== undefined && this.#isSame(file_name, { row_number: null, sha256 }, digest);
    return { file_name, rows: this.#mergedRows, ok };
  }

  /** The signer of the manifest. All pieces of the manifest and all entries were read before. */
  async #signer({ options }: ManifestMembers): Promise<string | null> {
    if (this.#signature === undefined) {
      if (options.sign_manifest) this.#report('missing', SIGNATURE_NAME);
      return null;
    }
    const text = await this.#signatureText(this.#signature);
    const signer = signerOf(text, this.#manifestDigest.digest('hex'));
    if (signer === null) this.#report('signature', SIGNATURE_NAME);
    return signer;
  }

  async #signatureText(entry: Entry): Promise<string> {
    if (entry.uncompressedSize > MAX_SIGNATURE_BYTES) return '';
    if (!(await this.#entryDigests.isNamedOnce(entry))) return '';
    const pieces: Buffer[] = [];
    try {
      for await (const piece of contentOf(this.#zip, entry)) pieces.push(piece);
    } catch {
      return '';
    }
    return Buffer.concat(pieces).toString('latin1');
  }

  #compare(name: string, expected: Expected, digest: string | null): void {
    if (this.#isSame(name, expected, digest)) this.#verified += 1;
  }

  #isSame(name: string, { row_number, sha256 }: Expected, digest: string | null): boolean {
    if (digest === sha256.toLowerCase()) return true;
    this.#report(digest === null ? 'damaged' : 'changed', name, row_number);
    return false;
  }

  #report(kind: ProblemKind, file_name: string, row_number: number | null = null): void {
    this.#problemCount += 1;
    if (this.#problems.length < LISTED_PROBLEMS) this.#problems.push({ kind, file_name, row_number });
  }
}
