import { createHash } from 'node:crypto';
import type { Blobs } from '#engine/blobs.ts';
import type { LocalBlobFiles } from '#engine/local-blob-files.ts';
import type { FillOptions, RowPasswords, VerifyOptions } from '#fill/fill-options.ts';
import { groupColumnKeys } from '#fill/group-columns.ts';
import { labelledColumns } from '#fill/labelled-columns.ts';
import type { AssetSource, ZipAsset } from '#fill/node/assets/asset-source.ts';
import { decodeMessage, encodeMessage } from '#fill/node/message.ts';
import { nativeCodec } from '#fill/node/native-codec.ts';
import type { Template } from '#fill/node/threads/thread-messages.ts';
import { verifiedWork } from '#fill/node/verify/native-verify-ids.ts';
import type { Layout } from '#fill/package/layout-schema.ts';
import { openPackage } from '#fill/package/open-package.ts';
import { passwordColumnKey } from '#fill/password-column.ts';
import type { BaseFacts, PreparedBase } from '#fill/prepare/prepared-base.ts';
import { verifyColumnKey } from '#fill/verify/verify-column.ts';
import { memoryLimitBytes } from '#lib/memory-limit.ts';
import type { ExportInput, ExportOptions } from './export-input.ts';

/** A prepared base as stored in the blob store: facts, plain bytes, and the deflated prefix of every ZIP entry. */
export interface StoredTemplate {
  readonly facts: BaseFacts;
  readonly base: SharedArrayBuffer;
  readonly deflated: Uint8Array;
}

/** Keys that are derived from the current installation secret, in hex. */
export interface TemplateKeys {
  passwords(): string;
  verifyIds(): string;
}

/** Maximum total size of the bases in memory; one is 200 kB for a letter and can be 200 MB for a book. */
const MAX_CACHED_BYTES = Math.min(256_000_000, memoryLimitBytes() / 8);

/**
 * Templates by digest. A job names its prepared base by digest, so that any node can load it. The most recent ones stay
 * in memory, shared by all threads and downloads.
 */
export class Templates {
  readonly #blobs: Blobs;
  readonly #localFiles: LocalBlobFiles;
  readonly #trustedKeys: readonly string[];
  readonly #maxCellChars: number;
  readonly #keys: TemplateKeys;
  readonly #cached = new Map<string, { readonly stored: Promise<StoredTemplate>; bytes: number }>();

  constructor(
    blobs: Blobs,
    localFiles: LocalBlobFiles,
    trustedKeys: readonly string[],
    maxCellChars: number,
    keys: TemplateKeys,
  ) {
    this.#blobs = blobs;
    this.#localFiles = localFiles;
    this.#trustedKeys = trustedKeys;
    this.#maxCellChars = maxCellChars;
    this.#keys = keys;
  }

  async store(accountId: string, base: PreparedBase, deflated: Uint8Array): Promise<string> {
    const { digest } = await this.#blobs.put(
      accountId,
      pieces(encodeMessage({ head: base.facts, blocks: [base.bytes, deflated] })),
    );
    return digest;
  }

  /** Keeps a stored template for another hour. Returns false if it was deleted. */
  touch(digest: string): Promise<boolean> {
    return this.#blobs.touch(digest);
  }

  /** Reports whether a stored template is whole. Streams it, so that a large one needs no memory. */
  async isIntact(digest: string): Promise<boolean> {
    try {
      const [expected] = await this.#blobs.contentDigests([digest]);
      const hash = createHash('sha256');
      for await (const bytes of this.#blobs.read(digest)) hash.update(bytes);
      return hash.digest('hex') === expected;
    } catch {
      // Missing or damaged; preparing the template again reports a store that cannot be reached.
      return false;
    }
  }

  /** Reports whether the template is in memory or being loaded. */
  isLoaded(digest: string): boolean {
    return this.#cached.has(digest);
  }

  async load(digest: string): Promise<StoredTemplate> {
    const known = this.#cached.get(digest);
    if (known !== undefined) {
      this.#cached.delete(digest);
      this.#cached.set(digest, known);
      return known.stored;
    }
    const entry = { stored: this.#read(digest), bytes: 0 };
    this.#cached.set(digest, entry);
    try {
      const stored = await entry.stored;
      entry.bytes = stored.base.byteLength + stored.deflated.length;
      this.#evict(digest);
      return stored;
    } catch (error) {
      this.#cached.delete(digest);
      throw error;
    }
  }

  /** Returns what threads need to draw rows of this job. */
  async open(input: ExportInput): Promise<Template> {
    const [{ facts, base }, packageBytes, jobAssets] = await Promise.all([
      this.load(input.base),
      this.#blobs.readAll(input.package),
      this.#jobAssets(input),
    ]);
    const opened = openPackage(packageBytes, { codec: nativeCodec, trustedKeys: this.#trustedKeys });
    if (!opened.ok)
      throw new Error(`bug: package ${input.package} was accepted but cannot be opened: ${opened.code}`);
    const { layout, assets } = opened.package;
    const { include_stickers, flatten_forms, filename_columns, output, sheet, password_column, group_by } =
      input.options;
    const drawn: FillOptions = {
      includeStickers: include_stickers,
      flattenForms: flatten_forms,
      filenameColumns: filename_columns,
      decimalSigns: input.decimalSigns,
      output,
      sheet,
      ...(group_by !== undefined && { groupBy: this.#groupKeys(layout, input.options, group_by) }),
      ...(password_column !== undefined && {
        password: this.#passwords(layout, input.options, password_column),
      }),
    };
    const verify = this.#verify(
      layout,
      input,
      drawn,
      createHash('sha256').update(packageBytes).digest('hex'),
    );
    const options = { ...drawn, ...(verify !== undefined && { verify }) };
    const key = JSON.stringify([input.base, input.package, options, input.assets]);
    const plan = { layout, assets, options };
    const maxCellChars = this.#maxCellChars;
    return { key, base, facts, plan, ...(jobAssets && { assets: jobAssets }), maxCellChars };
  }

  #groupKeys(layout: Layout, options: ExportOptions, names: readonly string[]): readonly string[] {
    const columns = labelledColumns(layout, { includeStickers: options.include_stickers });
    const found = groupColumnKeys(columns, names);
    if ('problem' in found) throw new Error(`bug: group_by was accepted but ${found.problem}`);
    return found.keys;
  }

  #passwords(layout: Layout, options: ExportOptions, name: string): RowPasswords {
    const columns = labelledColumns(layout, { includeStickers: options.include_stickers });
    const found = passwordColumnKey(columns, name, options.filename_columns);
    if ('problem' in found) throw new Error(`bug: password_column was accepted but ${found.problem}`);
    return { column: found.key, key: this.#keys.passwords() };
  }

  #verify(
    layout: Layout,
    { pdf, options, verifyAddress: address }: ExportInput,
    drawn: FillOptions,
    packageSha256: string,
  ): VerifyOptions | undefined {
    const { verify_column: name, filename_columns, group_by = [], password_column } = options;
    if (name === undefined || address === undefined) return undefined;
    const columns = labelledColumns(layout, drawn);
    const others = { filenames: filename_columns, groupBy: group_by, password: password_column };
    const found = verifyColumnKey(columns, name, others);
    if ('problem' in found) throw new Error(`bug: verify_column was accepted but ${found.problem}`);
    const work = verifiedWork({ ...drawn, pdfSha256: pdf, packageSha256, column: found.key });
    return { column: found.key, address, key: this.#keys.verifyIds(), work };
  }

  async #jobAssets({ assets }: ExportInput): Promise<AssetSource | undefined> {
    if (assets === undefined) return undefined;
    const [file, index] = await Promise.all([
      this.#localFiles.open(assets.zip),
      this.#blobs.readAll(assets.index),
    ]);
    return { kind: 'zip', ...file, entries: JSON.parse(index.toString()) as ZipAsset[] };
  }

  async #read(digest: string): Promise<StoredTemplate> {
    const { head, blocks } = decodeMessage(await this.#blobs.readAll(digest));
    const [bytes, deflated] = blocks;
    if (bytes === undefined || deflated === undefined)
      throw new Error(`bug: blob ${digest} is not a template`);
    const base = new SharedArrayBuffer(bytes.length);
    new Uint8Array(base).set(bytes);
    return { facts: head as BaseFacts, base, deflated: Uint8Array.from(deflated) };
  }

  #evict(justLoaded: string): void {
    let total = 0;
    for (const { bytes } of this.#cached.values()) total += bytes;
    for (const [digest, { bytes }] of this.#cached) {
      if (total <= MAX_CACHED_BYTES || digest === justLoaded) return;
      this.#cached.delete(digest);
      total -= bytes;
    }
  }
}

async function* pieces(parts: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* parts;
}
