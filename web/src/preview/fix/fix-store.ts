import { create } from 'zustand';
import { useEditor } from '../../editor/editor-store.ts';
import type { SheetFilter, Spot } from './sheet-rows.ts';

/** The place in the sheet, the cell that is being edited, and the filters. */
interface FixState {
  readonly active: Spot | null;
  /** The text in the editor of the active cell; null while no cell is edited. */
  readonly typed: string | null;
  readonly filter: SheetFilter;
  /** A correction that is being applied; its cell already shows the new text. */
  readonly pending: (Spot & { readonly text: string }) | null;
  /** Counts moves by keyboard, after which the active cell takes the focus. */
  readonly moves: number;
}

const NOTHING: FixState = {
  active: null,
  typed: null,
  filter: { code: null, column: null },
  pending: null,
  moves: 0,
};

export const useFix = create<FixState>(() => NOTHING);

export function moveTo(active: Spot | null): void {
  useFix.setState(({ moves }) => ({ active, typed: null, moves: moves + 1 }));
}

export const forgetPlace = (): void => useFix.setState(NOTHING);

useEditor.subscribe((now, before) => {
  if (now.openings !== before.openings) forgetPlace();
});
