import { createStore, delMany, get, getMany, keys, promisifyRequest, set, setMany } from 'idb-keyval';
import type { Layout } from '#fill/package/layout-schema.ts';
import type { RulerGuide } from '../core/guides/ruler-guides.ts';
import type { RunRecord } from '../core/runs/run-record.ts';
import type { PictureSet } from '../data/pictures/picture-set.ts';
import type { LibraryLink, Project, RowsFile, RowsReading, Source } from '../project/project.ts';
import type { RunChoices } from '../run/run-choices.ts';
import { currentLayout } from './current-layout.ts';
import { newId } from './new-id.ts';

/**
 * Unsaved work in this browser (IndexedDB), so that a reload or a crash loses nothing. A draft is stored in parts: the
 * source and the rows file are written once; the small part that changes with every gesture is written separately.
 */
export interface DraftWork {
  readonly name: string;
  readonly layout: Layout;
  /** The layout of the last saved package; null if there is none. */
  readonly savedLayout: Layout | null;
  /** The project's name in that package. */
  readonly savedName?: string | null;
  readonly assets: Project['assets'];
  readonly differences: Project['differences'];
  readonly rowsReading: RowsReading;
  readonly previewRow: number;
  /** The Idempotency-Key of the next run and a digest of its inputs. Other inputs get another key. */
  readonly request: { readonly key: string; readonly inputs: string } | null;
  readonly run: RunChoices | null;
  /** Older drafts have none. */
  readonly guides?: readonly RulerGuide[];
  /** Earlier runs, newest first. Older drafts have none. */
  readonly runs?: readonly RunRecord[];
  /** Absent or null: not saved on the server. */
  readonly library?: LibraryLink | null;
}

/** Facts for the list of projects. */
export interface DraftFacts {
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
const PART_NAMES = ['source', 'work', 'rows', 'pictures', 'summary', 'revision', 'writer'] as const;
type PartName = (typeof PART_NAMES)[number];
const part = (id: string, name: PartName) => `${id}/${name}`;

/** The stored project and its revision; null if this browser has none with that id. */
export async function loadDraft(id: string): Promise<{ project: Project; revision: number } | null> {
  const [source, work, revision] = await getMany<unknown>(
    [part(id, 'source'), part(id, 'work'), part(id, 'revision')],
    store,
  );
  if (source === undefined || work === undefined) return null;
  const { name, layout, assets, differences } = work as DraftWork;
  const project = {
    id,
    name,
    source: source as Source,
    layout: currentLayout(layout),
    assets,
    differences,
  };
  return { project, revision: revisionOf(revision) };
}

/** Identifies the page that wrote a revision. A reload is another page. */
export const THIS_PAGE = newId();

/** The revision of a draft, and the page that wrote it if that is known. */
export async function loadDraftRevision(id: string): Promise<{ revision: number; writer: string | null }> {
  const [revision, writer] = await getMany<unknown>([part(id, 'revision'), part(id, 'writer')], store);
  return { revision: revisionOf(revision), writer: typeof writer === 'string' ? writer : null };
}

/** Older drafts have none. */
const revisionOf = (stored: unknown): number => (typeof stored === 'number' ? stored : 0);

export async function loadDraftWork(id: string): Promise<DraftWork | null> {
  const work = await get<DraftWork>(part(id, 'work'), store);
  if (work === undefined) return null;
  const { layout, savedLayout } = work;
  return {
    ...work,
    layout: currentLayout(layout),
    savedLayout: savedLayout === null ? null : currentLayout(savedLayout),
  };
}

export async function loadDraftFacts(id: string): Promise<DraftFacts | null> {
  return (await get<DraftSummary>(part(id, 'summary'), store)) ?? null;
}

export async function loadDraftRows(id: string): Promise<RowsFile | null> {
  return (await get<RowsFile>(part(id, 'rows'), store)) ?? null;
}

export async function loadDraftPictures(id: string): Promise<PictureSet | null> {
  return (await get<PictureSet>(part(id, 'pictures'), store)) ?? null;
}

export async function saveDraftPictures(id: string, pictures: PictureSet): Promise<void> {
  await set(part(id, 'pictures'), pictures, store);
}

/** Stores the source of a new draft. */
export async function saveDraftSource(id: string, source: Source): Promise<void> {
  await set(part(id, 'source'), source, store);
}

export async function saveDraftRows(id: string, rows: RowsFile): Promise<void> {
  await set(part(id, 'rows'), rows, store);
}

/** Stores a new draft. */
export async function saveDraft(id: string, work: DraftWork, facts: DraftFacts): Promise<void> {
  const entries = workParts(id, work, facts).map(([name, value]): [string, unknown] => [
    part(id, name),
    value,
  ]);
  await setMany(entries, store);
}

/**
 * Stores a draft over the existing one. Tabs that have it open find that it changed. With `isNew`, an existing one stays: two
 * tabs that open the same project for the first time share the draft of the first.
 */
export function replaceDraft(
  id: string,
  source: Source,
  work: DraftWork,
  { isNew, ...facts }: DraftFacts & { readonly isNew: boolean },
): Promise<void> {
  return store('readwrite', async (drafts) => {
    if (isNew && (await promisifyRequest(drafts.getKey(part(id, 'source')))) !== undefined) return;
    const now = revisionOf(await promisifyRequest<unknown>(drafts.get(part(id, 'revision'))));
    drafts.put(source, part(id, 'source'));
    for (const [name, value] of workParts(id, work, facts)) drafts.put(value, part(id, name));
    drafts.put(now + 1, part(id, 'revision'));
    drafts.delete(part(id, 'writer'));
    await promisifyRequest(drafts.transaction);
  });
}

/** A part of a draft and its new value; undefined removes it. */
export type DraftPart = readonly [PartName, unknown];

export function workParts(id: string, work: DraftWork, facts: DraftFacts): readonly DraftPart[] {
  const { name, layout } = work;
  const summary: DraftSummary = {
    ...facts,
    id,
    name,
    changedAt: Date.now(),
    fieldCount: layout.overlays.length + layout.form_fields.length,
  };
  return [
    ['work', work],
    ['summary', summary],
  ];
}

export type Stored =
  | { readonly kind: 'stored'; readonly revision: number }
  | { readonly kind: 'changed' | 'gone' };

/**
 * Writes parts of a draft if it is still at `revision`. The check and the write share a transaction, so only one of two
 * tabs succeeds. A change raises the revision.
 */
export function storeDraft(
  id: string,
  parts: readonly DraftPart[],
  revision: number,
  isChange: boolean,
): Promise<Stored> {
  return store('readwrite', async (drafts): Promise<Stored> => {
    const source = await promisifyRequest(drafts.getKey(part(id, 'source')));
    const now = revisionOf(await promisifyRequest<unknown>(drafts.get(part(id, 'revision'))));
    if (source === undefined) return { kind: 'gone' };
    if (now !== revision) return { kind: 'changed' };
    const next = isChange ? revision + 1 : revision;
    for (const [name, value] of parts) {
      if (value === undefined) drafts.delete(part(id, name));
      else drafts.put(value, part(id, name));
    }
    drafts.put(next, part(id, 'revision'));
    if (isChange) drafts.put(THIS_PAGE, part(id, 'writer'));
    await promisifyRequest(drafts.transaction);
    return { kind: 'stored', revision: next };
  });
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
  await delMany(
    PART_NAMES.map((name) => part(id, name)),
    store,
  );
}

/** Stores a draft under another id, in one transaction. */
export function moveDraft(from: string, to: string): Promise<void> {
  return store('readwrite', async (drafts) => {
    for (const name of PART_NAMES) {
      const value = await promisifyRequest<unknown>(drafts.get(part(from, name)));
      if (value === undefined) continue;
      drafts.put(name === 'summary' ? { ...(value as DraftSummary), id: to } : value, part(to, name));
      drafts.delete(part(from, name));
    }
    await promisifyRequest(drafts.transaction);
  });
}
