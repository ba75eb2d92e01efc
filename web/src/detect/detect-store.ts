import { create } from 'zustand';
import type { Proposal } from '../core/detect/proposal.ts';

/**
 * Proposed fields under review. They are not part of the layout, so they cannot be undone and are not stored in the draft;
 * accepting them changes the layout.
 */
export interface ReviewItem {
  readonly id: string;
  readonly proposal: Proposal;
  /** As detected, or as edited. */
  readonly name: string;
  /** A person's choice; undefined if the name decides, null for no column. */
  readonly column?: string | null;
}

interface DetectState {
  readonly phase: 'idle' | 'finding' | 'review';
  /** A person asked for the search, so its result is reported even if nothing was found. */
  readonly isAsked: boolean;
  readonly pagesRead: number;
  readonly pageCount: number;
  readonly items: readonly ReviewItem[];
  /** The item that has the focus or the pointer, in the list or on the page. */
  readonly active: string | null;
  /** The opening of the project that the review belongs to (EditorState.openings). */
  readonly opening: number;
  /** The project that opens next is searched at once. */
  readonly isWanted: boolean;
}

const IDLE: Omit<DetectState, 'opening'> = {
  phase: 'idle',
  isAsked: false,
  pagesRead: 0,
  pageCount: 0,
  items: [],
  active: null,
  isWanted: false,
};

export const useDetect = create<DetectState>(() => ({ ...IDLE, opening: 0 }));

export const stopDetection = (): void => useDetect.setState(IDLE);
export const wantDetection = (): void => useDetect.setState({ isWanted: true });
export const activate = (active: string | null): void => useDetect.setState({ active });

export function editItem(id: string, change: Partial<Pick<ReviewItem, 'name' | 'column'>>): void {
  useDetect.setState(({ items }) => ({
    items: items.map((item) => (item.id === id ? { ...item, ...change } : item)),
  }));
}

/** Removes items. The review ends with its last item. */
export function removeItems(ids: ReadonlySet<string>): void {
  const { items, phase } = useDetect.getState();
  const rest = items.filter(({ id }) => !ids.has(id));
  useDetect.setState({
    items: rest,
    active: null,
    phase: rest.length === 0 && phase === 'review' ? 'idle' : phase,
  });
}
