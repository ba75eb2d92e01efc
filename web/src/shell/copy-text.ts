/**
 * Puts text on the clipboard. Pages served by plain http have no clipboard interface, so the old command is the fallback; its
 * helper stands beside `near`, because a modal dialog makes everything outside of it unselectable.
 */
export async function copyText(text: string, near: HTMLElement): Promise<boolean> {
  if (navigator.clipboard !== undefined && window.isSecureContext) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      // Refused by the browser (no focus, no permission): the command below may still work.
    }
  }
  const helper = document.createElement('textarea');
  helper.value = text;
  helper.className = 'visually-hidden';
  near.after(helper);
  helper.select();
  const done = document.execCommand('copy');
  helper.remove();
  near.focus();
  return done;
}
