import { create } from 'zustand';

const KEY = 'rowpress.single-keys';

/**
 * Whether single-key shortcuts are on. Users can switch them off (WCAG 2.2, 2.1.4), because speech input and unintended key
 * presses can trigger them.
 */
export const useSingleKeys = create<{ on: boolean; switchTo(on: boolean): void }>((set) => ({
  on: localStorage.getItem(KEY) !== 'off',
  switchTo: (on) => {
    if (on) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, 'off');
    set({ on });
  },
}));
