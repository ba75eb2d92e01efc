import { create } from 'zustand';

export type Theme = 'system' | 'light' | 'dark';
const KEY = 'rowpress.theme';

function apply(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

function remembered(): Theme {
  const stored = localStorage.getItem(KEY);
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}

export const useTheme = create<{ theme: Theme; setTheme(theme: Theme): void }>((set) => {
  const theme = remembered();
  apply(theme);
  return {
    theme,
    setTheme: (next) => {
      localStorage.setItem(KEY, next);
      apply(next);
      set({ theme: next });
    },
  };
});
