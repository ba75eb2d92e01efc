import { create } from 'zustand';

const KEY = 'rowpress.single-keys';

/**
 * Whether one letter alone does something. It can be switched off (WCAG 2.2, 2.1.4): whoever dictates says letters all day,
 * and a hand that does not hit every key hits others.
 */
export const useSingleKeys = create<{ on: boolean; switchTo(on: boolean): void }>((set) => ({
  on: localStorage.getItem(KEY) !== 'off',
  switchTo: (on) => {
    if (on) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, 'off');
    set({ on });
  },
}));
