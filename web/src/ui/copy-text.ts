/**
 * Copies text to the clipboard. Pages served over plain http have no clipboard API, so `execCommand` is the fallback; its
 * helper element is inside the open dialog, if any, because the rest of the page is inert and cannot be selected.
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const focused = document.activeElement;
    const helper = document.createElement('textarea');
    helper.value = text;
    helper.className = 'visually-hidden';
    (document.querySelector('dialog[open]') ?? document.body).append(helper);
    helper.select();
    const copied = document.execCommand('copy');
    helper.remove();
    if (focused instanceof HTMLElement) focused.focus();
    return copied;
  }
}
