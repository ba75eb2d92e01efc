import { createHash } from 'node:crypto';
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { crc32 } from 'node:zlib';
import { ArchiveIndex, compactRecords } from '#fill/archive-index.ts';
import { createRowFiller } from '#fill/create-row-filler.ts';
import { fillPieces } from '#fill/fill-rows.ts';
import { createFontKit } from '#fill/fonts/font-kit.ts';
import { MergedPdf } from '#fill/merge/merged-pdf.ts';
import { openAssets } from '#fill/node/assets/open-assets.ts';
import { bundledFontLibrary } from '#fill/node/bundled-fonts.ts';
import { ManifestEntry } from '#fill/node/manifest-entry.ts';
import { nativeCodec } from '#fill/node/native-codec.ts';
import { prefixOf } from '#fill/node/open-fill.ts';
import { MERGED_NAME } from '#fill/output-kind.ts';
import { failuresToAbort } from '#fill/results/threshold.ts';
import type { RowRecord } from '#fill/row-filler.ts';
import { ByteSink } from '#fill/write/byte-sink.ts';
import { entryChunks } from '#fill/zip/entry-chunks.ts';
import { ZipPlan } from '#fill/zip/zip-plan.ts';
import type { Progress } from '../progress.ts';
import { type ArchiveReport, type ArchiveRun, signatureOf, thresholdExceeded } from './fill-archive.ts';
import type { Output } from './output-file.ts';

/**
 * Writes a ZIP with the PDF of all rows, and with `both` the PDFs of the rows before it. An entry begins with its checksum, so the PDF of
 * all rows is collected in a temporary file.
 */
export async function fillMergedArchive(
  run: ArchiveRun,
  output: Output,
  progress: Progress,
): Promise<ArchiveReport> {
  const directory = await mkdtemp(path.join(tmpdir(), 'rowpress-'));
  const file = await open(path.join(directory, MERGED_NAME), 'w+');
  try {
    return await fillWith(new Spool(file, run.fill.base.bytes), run, output, progress);
  } finally {
    await file.close();
    await rm(directory, { recursive: true, force: true });
  }
}

async function fillWith(
  spool: Spool,
  { fill, plan, rows, maxFailedRowPercent, run, head, sealKey }: ArchiveRun,
  output: Output,
  progress: Progress,
): Promise<ArchiveReport> {
  const ports = {
    fonts: await createFontKit(bundledFontLibrary()),
    codec: nativeCodec,
    jobAssets: openAssets(run.assets),
  };
  const filler = await createRowFiller(fill.base, prefixOf(fill), plan, ports, run.maxCellChars);
  const merged = new MergedPdf(fill.base, plan.options);
  const index = new ArchiveIndex();
  const manifest = new ManifestEntry();
  const failedRows: number[] = [];
  const notedRows: number[] = [];
  const limit = failuresToAbort(rows.count, maxFailedRowPercent);
  const prefix = { deflatedLength: fill.deflated.length, plainLength: fill.base.bytes.length };
  const scratch = new ByteSink();
  for await (const batch of rows.batches()) {
    for (const { records, tails } of fillPieces(filler, index.rows + 1, batch, scratch)) {
      const compact = compactRecords(withFirstPages(records, tails, merged));
      index.add(compact);
      await manifest.add(compact.lines);
      failedRows.push(...compact.failedRows);
      notedRows.push(...compact.notedRows);
      if (failedRows.length >= limit) throw thresholdExceeded(failedRows, rows.count, maxFailedRowPercent);
      await output.write(entryChunks(compact.zipRows, tails, fill.deflated, prefix));
      await spool.add(merged.take());
      progress.update(index.rows);
    }
  }
  if (merged.rows > 0) for (const chunk of merged.finish(nativeCodec)) await spool.add(chunk);
  const made = merged.rows === 0 ? undefined : { length: spool.length, crc32: spool.crc32 };
  const entry = await manifest.finish({
    ...head,
    rows: index.rows,
    summary: index.summary,
    // Without a row there is no page, and a PDF needs one.
    merged: made && { file_name: MERGED_NAME, page_count: merged.pageCount, sha256: spool.sha256() },
  });
  const zip = new ZipPlan(prefix, index.zipRows, entry, made, await signatureOf(entry, sealKey));
  for (const segment of zip.segments(zip.mergedAt)) {
    if (segment.from === 'here') await output.write([segment.bytes]);
    else if (segment.from === 'prefix')
      await output.write([fill.deflated.subarray(segment.start, segment.end)]);
    else await output.write([await spool.read(segment.start, segment.end)]);
  }
  return { summary: index.summary, bytes: zip.size, failedRows, notedRows };
}

/** Adds the rows to the merged PDF, and its pages to their results. */
function withFirstPages(records: readonly RowRecord[], bytes: Uint8Array, merged: MergedPdf): RowRecord[] {
  let at = 0;
  return records.map((record) => {
    const { result, zip, fragment } = record;
    at += zip?.tailLength ?? 0;
    const first_page = fragment === undefined ? null : merged.nextPage;
    if (fragment !== undefined) {
      merged.addFragment(result.row_number, fragment, bytes.subarray(at));
      at += fragment.length;
    }
    return { ...record, result: { ...result, first_page } };
  });
}

/** The merged PDF after its base, in a file. */
class Spool {
  readonly #file: FileHandle;
  readonly #sha256 = createHash('sha256');
  crc32: number;
  length = 0;

  constructor(file: FileHandle, base: Uint8Array) {
    this.#file = file;
    this.#sha256.update(base);
    this.crc32 = crc32(base);
  }

  async add(bytes: Uint8Array): Promise<void> {
    if (bytes.length === 0) return;
    this.#sha256.update(bytes);
    this.crc32 = crc32(bytes, this.crc32);
    await this.#file.appendFile(bytes);
    this.length += bytes.length;
  }

  sha256(): string {
    return this.#sha256.digest('hex');
  }

  async read(start: number, end: number): Promise<Uint8Array> {
    const bytes = new Uint8Array(end - start);
    const { bytesRead } = await this.#file.read(bytes, 0, bytes.length, start);
    if (bytesRead !== bytes.length) throw new Error('bug: the temporary file is too short');
    return bytes;
  }
}
