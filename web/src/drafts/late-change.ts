import type { Project } from '../project/project.ts';
import { type DraftWork, loadDraftFacts, loadDraftWork, storeDraft, workParts } from './drafts.ts';

/**
 * The last change before the page was closed. A closing page cannot wait for IndexedDB, but it can write to the local storage,
 * which is synchronous. The change is added to the draft when the project opens again.
 */
interface LateChange {
  /** The revision of the draft that the change was made on. */
  readonly revision: number;
  readonly name: string;
  readonly layout: Project['layout'];
  readonly guides: NonNullable<DraftWork['guides']>;
}

const keyOf = (id: string) => `rowpress.late.${id}`;

export function keepLateChange(id: string, revision: number, { name, layout, guides }: DraftWork): void {
  const change: LateChange = { revision, name, layout, guides: guides ?? [] };
  try {
    localStorage.setItem(keyOf(id), JSON.stringify(change));
  } catch {
    // The storage is full, so the draft in IndexedDB is all that remains.
  }
}

export const dropLateChange = (id: string): void => localStorage.removeItem(keyOf(id));

/** Adds the late change to the draft, unless the draft was written since. */
export async function addLateChange(id: string): Promise<void> {
  const kept = localStorage.getItem(keyOf(id));
  if (kept === null) return;
  const { revision, ...change } = JSON.parse(kept) as LateChange;
  const [work, facts] = await Promise.all([loadDraftWork(id), loadDraftFacts(id)]);
  // Writes nothing if the draft has another revision.
  if (work !== null && facts !== null)
    await storeDraft(id, workParts(id, { ...work, ...change }, facts), revision, true);
  dropLateChange(id);
}
