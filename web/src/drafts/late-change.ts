import type { Project } from '../project/project.ts';
import {
  type DraftWork,
  loadDraftFacts,
  loadDraftRevision,
  loadDraftWork,
  storeDraft,
  THIS_PAGE,
  workParts,
} from './drafts.ts';

/**
 * The last change before the page was closed. A closing page cannot wait for IndexedDB, but it can write to the local storage,
 * which is synchronous. The change is added to the draft when the project opens again.
 */
interface LateChange {
  /** The revision of the draft that the change was made on, and the page that made it. */
  readonly revision: number;
  readonly page?: string;
  readonly name: string;
  readonly layout: Project['layout'];
  readonly guides: NonNullable<DraftWork['guides']>;
}

const keyOf = (id: string) => `rowpress.late.${id}`;

export function keepLateChange(id: string, revision: number, { name, layout, guides }: DraftWork): void {
  const change: LateChange = { revision, page: THIS_PAGE, name, layout, guides: guides ?? [] };
  try {
    localStorage.setItem(keyOf(id), JSON.stringify(change));
  } catch {
    // The storage is full, so the draft in IndexedDB is all that remains.
  }
}

const contentOf = ({ name, layout, guides }: Pick<DraftWork, 'name' | 'layout' | 'guides'>): string =>
  JSON.stringify([name, layout, guides ?? []]);

export const dropLateChange = (id: string): void => localStorage.removeItem(keyOf(id));

/**
 * Adds the late change to the draft, unless another page has written the draft since. A write of the same page that was still
 * running when it closed is older than the change.
 */
export async function addLateChange(id: string): Promise<void> {
  const kept = localStorage.getItem(keyOf(id));
  if (kept === null) return;
  const { revision, page, ...change } = JSON.parse(kept) as LateChange;
  const [work, facts, now] = await Promise.all([
    loadDraftWork(id),
    loadDraftFacts(id),
    loadDraftRevision(id),
  ]);
  // The page may have written the change after all.
  const isMissing = work !== null && contentOf(work) !== contentOf(change);
  const isNewest = now.revision === revision || (page !== undefined && now.writer === page);
  // Writes nothing if the draft has got another revision meanwhile.
  if (isMissing && isNewest && facts !== null)
    await storeDraft(id, workParts(id, { ...work, ...change }, facts), now.revision, true);
  dropLateChange(id);
}
