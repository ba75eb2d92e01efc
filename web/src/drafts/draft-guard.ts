import { create } from 'zustand';
import { type DraftPart, deleteDraft, moveDraft, type Stored, storeDraft } from './drafts.ts';
import { dropLateChange } from './late-change.ts';

/**
 * Keeps two tabs from overwriting each other's work. A draft has a revision that every change raises; a tab writes only over the
 * revision it has loaded or written itself. Other tabs receive a message at once; a tab that misses it finds the other revision
 * when it writes. From then on this tab writes nothing until the user decides.
 */
interface Held {
  readonly id: string;
  readonly revision: number;
}

export interface DraftConflict {
  readonly id: string;
  readonly kind: 'changed' | 'gone';
  /** Whether the dialog is open. If the user closes it, the next change opens it again. */
  readonly asking: boolean;
}

export const useDraftConflict = create<{ conflict: DraftConflict | null }>(() => ({ conflict: null }));

let held: Held | null = null;
/** Counts how often a draft was opened. A write for the screen before an opening must not change what was opened. */
let openings = 0;
/** Serialises writes: the second one expects the revision of the first. */
let lastWrite: Promise<unknown> = Promise.resolve();
let channel: BroadcastChannel | null = null;

type Message =
  | { readonly id: string; readonly revision: number }
  | { readonly id: string; readonly gone: true };

/** Sets the draft and the revision that this tab works on. */
export function holdDraft(id: string, revision: number): void {
  held = { id, revision };
  openings += 1;
  useDraftConflict.setState({ conflict: null });
}

/** The revision that this tab may overwrite; null if another tab has changed the draft. */
export function heldRevision(id: string): number | null {
  return held?.id === id && useDraftConflict.getState().conflict === null ? held.revision : null;
}

export function listenToOtherTabs(): void {
  openChannel().addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if (held?.id !== data.id) return;
    if ('gone' in data) refuse('gone');
    else if (data.revision > held.revision) refuse('changed');
  });
}

/** Writes parts of the draft. Returns false, without writing, if another tab has changed it. */
export function writeDraftParts(
  id: string,
  parts: readonly DraftPart[],
  { isChange }: { isChange: boolean },
): Promise<boolean> {
  const opening = openings;
  return inTurn(async () => {
    if (held?.id !== id || openings !== opening) return false;
    const { conflict } = useDraftConflict.getState();
    if (conflict?.id === id) {
      // A picture that is ready now is no reason to ask again.
      if (isChange) refuse(conflict.kind);
      return false;
    }
    const stored: Stored = await storeDraft(id, parts, held.revision, isChange);
    if (held?.id !== id || openings !== opening) return false;
    if (stored.kind !== 'stored') {
      refuse(stored.kind);
      return false;
    }
    held = { id, revision: stored.revision };
    if (isChange) openChannel().postMessage({ id, revision: stored.revision } satisfies Message);
    return true;
  });
}

/** Runs after all writes before it. Later ones wait for its end. */
export function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const done = lastWrite.then(work);
  lastWrite = done.catch(() => undefined);
  return done;
}

/** Stores the draft of this tab under another id. Other tabs find the old one deleted. */
export function moveHeldDraft(from: string, to: string): Promise<void> {
  return inTurn(async () => {
    await moveDraft(from, to);
    if (held?.id === from) held = { id: to, revision: held.revision };
    openChannel().postMessage({ id: from, gone: true } satisfies Message);
  });
}

export async function removeDraft(id: string): Promise<void> {
  await deleteDraft(id);
  dropLateChange(id);
  openChannel().postMessage({ id, gone: true } satisfies Message);
}

export function askAboutConflict(asking: boolean): void {
  useDraftConflict.setState(({ conflict }) => ({ conflict: conflict && { ...conflict, asking } }));
}

function refuse(kind: DraftConflict['kind']): void {
  if (held !== null) useDraftConflict.setState({ conflict: { id: held.id, kind, asking: true } });
}

function openChannel(): BroadcastChannel {
  channel ??= new BroadcastChannel('rowpress.drafts');
  return channel;
}
