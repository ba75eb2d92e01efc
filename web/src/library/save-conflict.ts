import { create } from 'zustand';
import type { ProjectPlace } from './library-api.ts';

/** Another version was saved since the one on the screen was loaded. */
export interface SaveConflict extends ProjectPlace {
  /** The latest version; null if the project was deleted. */
  readonly version: number | null;
}

export const useSaveConflict = create<{ conflict: SaveConflict | null }>(() => ({ conflict: null }));

export const showConflict = (conflict: SaveConflict | null): void => useSaveConflict.setState({ conflict });
