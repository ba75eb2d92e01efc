import { useEffect } from 'react';
import { standOn } from '../ui/keep-focus.ts';
import { hasMoved } from './router.ts';

/**
 * Whoever comes to a screen goes on there: the link that led to it is gone, and a screen reader says where it is now. `place`
 * is mostly the screen's heading. Not when the page is first loaded, and not from somebody who types or is in a dialog.
 */
export function useArrival(place: () => Element | null): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: one comes to a screen once
  useEffect(() => {
    const focused = document.activeElement;
    if (!hasMoved() && (focused === null || focused === document.body)) return;
    if (focused instanceof HTMLInputElement || focused?.closest('dialog')) return;
    standOn(place());
  }, []);
}
