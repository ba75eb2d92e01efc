import type { ProjectView } from '#bulkfill/operator-contract.ts';
import { compareSource } from '#fill/package/compare-source.ts';
import type { OpenedPackage } from '#fill/package/open-package.ts';
import { type DraftWork, loadDraft, loadDraftFacts, loadDraftWork, replaceDraft } from '../drafts/drafts.ts';
import { readSource } from '../project/create-project.ts';
import type { Source } from '../project/project.ts';
import { readPackage } from '../project/read-package.ts';
import { DEFAULT_RUN } from '../run/run-choices.ts';
import { type ProjectPlace, readFiles } from './library-api.ts';

/** The package of a version, opened. */
export async function openVersion(place: ProjectPlace, version: number): Promise<OpenedPackage> {
  return (await openFiles(place, version)).package;
}

async function openFiles(place: ProjectPlace, version: number) {
  const files = await readFiles(place, version);
  const opened = await readPackage(files.package);
  if (!opened.ok) throw new Error(opened.message);
  return { pdf: files.pdf, package: opened.package };
}

/**
 * Stores a version as the draft of this browser. Rows, guides, run options and earlier runs of an existing draft stay; unsaved
 * changes of its layout do not. Stores nothing, and returns false, if `isWanted` returns false once the version is loaded.
 */
export async function storeVersion(
  place: ProjectPlace,
  project: ProjectView,
  isWanted: () => boolean = () => true,
): Promise<boolean> {
  const { account, id } = place;
  const { name, version } = project;
  const [files, draft, work, facts] = await Promise.all([
    openFiles(place, version),
    loadDraft(id),
    loadDraftWork(id),
    loadDraftFacts(id),
  ]);
  const { layout, assets } = files.package;
  const isSame = draft !== null && draft.project.source.metadata.sha256 === layout.source?.sha256;
  const source = isSame ? draft.project.source : await sourceOf(await files.pdf(), `${name}.pdf`);
  const stored: DraftWork = {
    ...(work ?? FRESH),
    name,
    layout,
    savedLayout: layout,
    savedName: name,
    assets,
    differences:
      layout.source === undefined ? [] : compareSource(layout.source, source.metadata, layout.form_fields),
    library: { account, version },
  };
  if (!isWanted()) return false;
  await replaceDraft(id, source, stored, {
    pageCount: source.metadata.page_count,
    rowsFileName: facts?.rowsFileName ?? null,
    thumbnail: isSame ? (facts?.thumbnail ?? null) : null,
    isNew: draft === null,
  });
  return true;
}

const FRESH = {
  rowsReading: { delimiter: null, encoding: null, header: true, columns: null, unbound: true },
  previewRow: 1,
  request: null,
  run: DEFAULT_RUN,
} as const satisfies Partial<DraftWork>;

async function sourceOf(pdf: Blob, fileName: string): Promise<Source> {
  const read = await readSource(pdf, fileName);
  if (!read.ok) throw new Error(read.message);
  return read.source;
}
