import { create } from 'zustand';
import type { StoredDraft } from '#bulkfill/operator-contract.ts';
import type { ProjectPlace } from './library-api.ts';

/** Another version was saved since the one on the screen was loaded, or there is other unsaved work of the same person. */
export interface SaveConflict extends ProjectPlace {
  /** The latest version; null if the project was deleted. */
  readonly version: number | null;
  /** The unsaved work of another browser, if that is what differs. */
  readonly draft?: StoredDraft;
}

export const useSaveConflict = create<{ conflict: SaveConflict | null }>(() => ({ conflict: null }));

export const showConflict = (conflict: SaveConflict | null): void => useSaveConflict.setState({ conflict });
