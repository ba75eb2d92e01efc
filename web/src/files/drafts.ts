import { createStore, delMany, get, getMany, keys, set, setMany } from 'idb-keyval';
import type { Layout } from '../../../src/fill/package/layout-schema.ts';
import type { Project, RowsReading, Source } from '../editor/project.ts';
import type { RunChoices } from '../run/run-choices.ts';

/**
 * Unsaved work in this browser (IndexedDB), so that a reload or a crash loses nothing. A draft is kept in parts: the
 * source and the rows file are written once, what changes with every gesture is small and written alone.
 */
export interface DraftWork {
  readonly name: string;
  readonly layout: Layout;
  /** The layout of the last saved package; null when there is none. */
  readonly savedLayout: Layout | null;
  readonly assets: Project['assets'];
  readonly differences: Project['differences'];
  readonly rowsReading: RowsReading;
  readonly previewRow: number;
  /** The Idempotency-Key of the next run and what it stands for: other inputs get another key. */
  readonly request: { readonly key: string; readonly inputs: string } | null;
  readonly run: RunChoices | null;
}

export interface DraftRows {
  readonly fileName: string;
  readonly file: Blob;
}

/** What a summary tells beside the work itself. */
interface DraftFacts {
  readonly pageCount: number;
  readonly rowsFileName: string | null;
  /** The first page as a small PNG or JPEG. */
  readonly thumbnail: Blob | null;
}

export interface DraftSummary extends DraftFacts {
  readonly id: string;
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly changedAt: number;
  readonly fieldCount: number;
}

const store = createStore('rowpress', 'drafts');
const part = (id: string, name: 'source' | 'work' | 'rows' | 'summary') => `${id}/${name}`;

/** The project as it was left; null when this browser has none of that id. */
export async function loadDraft(id: string): Promise<Project | null> {
  const [source, work] = await getMany<unknown>([part(id, 'source'), part(id, 'work')], store);
  if (source === undefined || work === undefined) return null;
  const { name, layout, assets, differences } = work as DraftWork;
  return { id, name, source: source as Source, layout, assets, differences };
}

export async function loadDraftWork(id: string): Promise<DraftWork | null> {
  return (await get<DraftWork>(part(id, 'work'), store)) ?? null;
}

export async function loadDraftRows(id: string): Promise<DraftRows | null> {
  return (await get<DraftRows>(part(id, 'rows'), store)) ?? null;
}

/** A new draft, or one whose source has been replaced. */
export async function saveDraftSource(id: string, source: Source): Promise<void> {
  await set(part(id, 'source'), source, store);
}

export async function saveDraftRows(id: string, rows: DraftRows | null): Promise<void> {
  if (rows === null) await delMany([part(id, 'rows')], store);
  else await set(part(id, 'rows'), rows, store);
}

export async function saveDraft(id: string, work: DraftWork, facts: DraftFacts): Promise<void> {
  const { name, layout } = work;
  const summary: DraftSummary = {
    ...facts,
    id,
    name,
    changedAt: Date.now(),
    fieldCount: layout.overlays.length + layout.form_fields.length,
  };
  await setMany(
    [
      [part(id, 'work'), work],
      [part(id, 'summary'), summary],
    ],
    store,
  );
}

/** Newest first. */
export async function listDrafts(): Promise<readonly DraftSummary[]> {
  const all = await keys<string>(store);
  const summaries = await getMany<DraftSummary>(
    all.filter((key) => key.endsWith('/summary')),
    store,
  );
  return summaries.filter((summary) => summary !== undefined).sort((a, b) => b.changedAt - a.changedAt);
}

export async function deleteDraft(id: string): Promise<void> {
  await delMany([part(id, 'source'), part(id, 'work'), part(id, 'rows'), part(id, 'summary')], store);
}
