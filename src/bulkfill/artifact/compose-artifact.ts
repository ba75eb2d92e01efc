import { createHash } from 'node:crypto';
import type { Blobs } from '#engine/blobs.ts';
import type { NewArtifact } from '#engine/job-kind.ts';
import { ArchiveIndex, compactRecords } from '#fill/archive-index.ts';
import { ManifestEntry } from '#fill/node/manifest-entry.ts';
import { signatureEntry, signManifest } from '#fill/node/sign-manifest.ts';
import { MERGED_NAME } from '#fill/output-kind.ts';
import type { ManifestHead, ManifestSummary } from '#fill/results/manifest.ts';
import type { RowRecord } from '#fill/row-filler.ts';
import { sheetMembers } from '#fill/sheet/sheet.ts';
import { ZipPlan } from '#fill/zip/zip-plan.ts';
import type { JobRecord } from '#storage/jobs/find-jobs.ts';
import type { ArtifactParts, ExportInput, SliceResult } from '../export-input.ts';
import type { Templates } from '../templates.ts';
import { encodeIndex } from './artifact-index.ts';
import { prefixLengths } from './artifact-reader.ts';
import { MergedComposer } from './compose-merged.ts';

export interface ComposeParts {
  readonly blobs: Blobs;
  readonly templates: Templates;
  /** The seal key of the installation, which all nodes share. It signs manifests. */
  readonly sealKey: Uint8Array;
}

export interface ComposedArtifact {
  readonly artifact: NewArtifact;
  readonly summary: ManifestSummary;
  /** Ids of the documents that can be verified. */
  readonly verifyIds: readonly string[];
}

/**
 * Composes index and manifest, which turn the slices' tails into a ZIP. Deterministic: a second attempt after a crash
 * produces the same blobs and a byte-identical ZIP.
 */
export async function composeArtifact(
  { blobs, templates, sealKey }: ComposeParts,
  job: JobRecord,
  input: ExportInput,
  slices: readonly SliceResult[],
): Promise<ComposedArtifact> {
  const archive = new ArchiveIndex();
  const entry = new ManifestEntry();
  const rowNumbers: number[] = [];
  const verifyIds: string[] = [];
  const sourceRows = await sourceRowNumbers(blobs, input);
  const template = await templates.load(input.base);
  const { dry_run, output, password_column, sign_manifest } = input.options;
  const encrypted = password_column === undefined ? undefined : true;
  const composer = output === undefined || dry_run ? undefined : new MergedComposer(template, input.options);
  for (const slice of slices) {
    const bytes = await blobs.readAll(slice.blob, { start: slice.tailsLength, end: slice.length });
    const drawn = JSON.parse(bytes.toString()) as RowRecord[];
    const firstPages = composer?.add(slice, drawn);
    const records = drawn.map(({ result, zip: own, verifyId }, at) => {
      // A dry run issues no documents.
      if (verifyId !== undefined && !dry_run) verifyIds.push(verifyId);
      const zip = dry_run ? null : own;
      const source = sourceRows?.[result.row_number - 1];
      const firstPage = firstPages?.[at];
      if (zip !== null) rowNumbers.push(result.row_number);
      return {
        result: {
          ...result,
          ...(source !== undefined && { source_row_number: source }),
          ...(firstPage !== undefined && { first_page: firstPage }),
        },
        zip,
      };
    });
    const compact = compactRecords(records);
    archive.add(compact);
    await entry.add(compact.lines);
  }
  const [packageSha256] = await blobs.contentDigests([input.package]);
  if (packageSha256 === undefined) throw new Error('bug: a package without a digest');
  // Without a row there is no page, and a PDF needs one.
  const merged = composer?.pageCount ? await composer.finish(blobs, job.account_id) : undefined;
  const manifest = await entry.finish({
    engine: input.engine,
    rows: archive.rows,
    timestamp: job.created_at.toISOString(),
    source: { pdf_sha256: input.pdf, page_count: input.pageCount, package_sha256: packageSha256 },
    options: manifestOptions(input),
    summary: archive.summary,
    warnings: input.warnings,
    merged: merged && {
      file_name: MERGED_NAME,
      page_count: composer?.pageCount ?? 0,
      sha256: merged.sha256,
    },
    input_rows: input.rows.inputCount,
    columns: input.columns,
  });
  const signature = sign_manifest ? await signManifest(manifest, sealKey) : undefined;
  const plan = new ZipPlan(
    prefixLengths(template, encrypted),
    archive.zipRows,
    manifest,
    merged && { length: merged.sizeBytes - template.base.byteLength, crc32: merged.crc32 },
    signature === undefined ? undefined : signatureEntry(signature),
  );
  const [index, manifestBlob] = await Promise.all([
    blobs.put(job.account_id, encodeIndex(archive.zipRows, rowNumbers)),
    blobs.put(job.account_id, manifest.deflated),
  ]);
  const parts: ArtifactParts = {
    base: input.base,
    slices: slices.map(({ blob, tailsLength }) => ({ blob, tailsLength })),
    index: index.digest,
    manifest: { blob: manifestBlob.digest, plainLength: manifest.plainLength, crc32: manifest.crc32 },
    ...(merged && { merged }),
    ...(encrypted && { encrypted }),
    ...(signature !== undefined && { signature }),
  };
  const held = [
    ...(merged === undefined ? [] : [merged.index, merged.ending]),
    input.base,
    index.digest,
    manifestBlob.digest,
    ...slices.map(({ blob }) => blob),
  ];
  const etag = await etagOf(blobs, parts);
  return {
    artifact: { mediaType: 'application/zip', sizeBytes: plan.size, etag, parts, blobs: held },
    summary: archive.summary,
    verifyIds,
  };
}

/** Computed from the contents: equal ZIPs have equal tags, whether or not their blobs are encrypted. */
async function etagOf(blobs: Blobs, parts: ArtifactParts): Promise<string> {
  const contentOf = async (name: string) => (await blobs.contentDigests([name]))[0] ?? name;
  const names = await blobs.contentDigests(parts.slices.map(({ blob }) => blob));
  const plain = {
    base: await contentOf(parts.base),
    slices: parts.slices.map(({ blob, tailsLength }, n) => ({ blob: names[n] ?? blob, tailsLength })),
    index: await contentOf(parts.index),
    manifest: { ...parts.manifest, blob: await contentOf(parts.manifest.blob) },
    ...(parts.merged && { merged: parts.merged.sha256 }),
    ...(parts.signature !== undefined && { signature: parts.signature }),
  };
  return createHash('sha256').update(JSON.stringify(plain)).digest('hex');
}

async function sourceRowNumbers(blobs: Blobs, { sourceRows }: ExportInput): Promise<number[] | undefined> {
  return sourceRows === undefined ? undefined : JSON.parse(String(await blobs.readAll(sourceRows)));
}

/** Uses the members and order of `rowpress fill`: the same job has a byte-identical manifest. */
function manifestOptions({ options, decimalSigns }: ExportInput): ManifestHead['options'] {
  const {
    include_stickers,
    flatten_forms,
    filename_columns,
    max_failed_row_percent,
    dry_run,
    group_by,
    output,
    sheet,
    duplex,
    password_column,
    verify_column,
    sign_manifest,
  } = options;
  return {
    include_stickers,
    flatten_forms,
    filename_columns,
    ...(group_by !== undefined && { group_by }),
    max_failed_row_percent,
    ...(dry_run && { dry_run }),
    ...(output !== undefined && { output }),
    ...(sheet !== undefined && { sheet: sheetMembers(sheet) }),
    ...(duplex && { duplex }),
    ...(password_column !== undefined && { password_column }),
    ...(verify_column !== undefined && { verify_column }),
    ...(sign_manifest && { sign_manifest }),
    ...(decimalSigns !== undefined && { decimal_signs: decimalSigns }),
  };
}
