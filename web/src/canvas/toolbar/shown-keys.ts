const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

/** `Mod+Shift+Z` as this machine's keyboard names it. */
export function shownKeys(keys: string): string {
  return isMac ? keys.replace('Mod', '⌘').replace('Shift', '⇧') : keys.replace('Mod', 'Ctrl');
}
