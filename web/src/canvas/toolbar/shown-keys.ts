const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

/** Formats `Mod+Shift+Z` for the keyboard of this platform. */
export function shownKeys(keys: string): string {
  return isMac ? keys.replace('Mod', '⌘').replace('Shift', '⇧') : keys.replace('Mod', 'Ctrl');
}
