import { useEffect } from 'react';
import { standOn } from '../ui/keep-focus.ts';
import { hasMoved } from './router.ts';

/**
 * Moves the focus to `place`, usually the heading, when a screen opens, because the link that led there is gone and screen
 * readers announce the new place. It does nothing on the first load of the page, while the user types, or in a dialog.
 */
export function useArrival(place: () => Element | null): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once per screen
  useEffect(() => {
    const focused = document.activeElement;
    if (!hasMoved() && (focused === null || focused === document.body)) return;
    if (focused instanceof HTMLInputElement || focused?.closest('dialog')) return;
    standOn(place());
  }, []);
}
