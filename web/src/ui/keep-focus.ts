/**
 * Whoever uses no mouse is where the focus is. When the element that has it is taken off the page (a row that was deleted, a
 * button whose work is done, a dialog that closed) browsers put the focus nowhere: the next Tab starts at the top, and a screen
 * reader falls silent. This puts it on the nearest thing that is still there (WCAG 2.2, 2.4.3).
 */
interface Spot {
  readonly element: HTMLElement;
  /** From its parent outwards: once it is off the page, it no longer knows where it stood. */
  readonly around: readonly Element[];
}

const spotOf = (element: HTMLElement): Spot => {
  const around: Element[] = [];
  for (let each = element.parentElement; each !== null; each = each.parentElement) around.push(each);
  return { element, around };
};

let held: Spot | null = null;

/** Where the focus was when a dialog opened; for one that took the place of another, somewhere in that one. */
const openers = new WeakMap<Element, Spot>();

export function rememberOpener(dialog: Element): void {
  if (held !== null) openers.set(dialog, held);
}

export function keepFocus(): () => void {
  const take = ({ target }: FocusEvent) => {
    held = target instanceof HTMLElement ? spotOf(target) : null;
  };
  // Left on purpose (a click beside, a field that is done), unless it is being removed: that is seen before the next task.
  const leave = ({ relatedTarget }: FocusEvent) => {
    const left = held;
    if (relatedTarget !== null || !document.hasFocus()) return;
    setTimeout(() => {
      if (held === left && left?.element !== document.activeElement) held = null;
    });
  };
  const watch = new MutationObserver((changes) => {
    const lost = held;
    const isNowhere = document.activeElement === null || document.activeElement === document.body;
    if (lost === null || !isNowhere) return;
    // Also of what was only put elsewhere, such as a row of a list in another order.
    const { element } = lost;
    const taken = changes.some(({ removedNodes }) =>
      [...removedNodes].some((node) => node.contains(element)),
    );
    if (taken || !element.isConnected) standOn(homeOf(lost, changes));
  });
  document.addEventListener('focusin', take);
  document.addEventListener('focusout', leave);
  watch.observe(document.body, { childList: true, subtree: true });
  return () => {
    document.removeEventListener('focusin', take);
    document.removeEventListener('focusout', leave);
    watch.disconnect();
  };
}

const REGIONS = 'tr, li, dialog, [role="tabpanel"], section, aside, nav, main';
const REACHABLE = 'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea';

function homeOf({ element, around }: Spot, changes: readonly MutationRecord[]): Element | null {
  if (element.isConnected && !element.matches(':disabled')) return element;
  const dialog = around.find((each) => each.localName === 'dialog' && !each.isConnected);
  const opener = dialog && openers.get(dialog);
  if (opener !== undefined) return homeOf(opener, changes);
  const region = around.find((each) => each.isConnected && each.matches(REGIONS));
  return (
    sameInNextRow(element, around, changes) ??
    (region?.localName === 'main' ? region.querySelector('h1') : null) ??
    region ??
    document.querySelector('main')
  );
}

/** Of a list's entry that is gone: the control at the same place of the entry after it, or of the one before. */
function sameInNextRow(
  element: Element,
  around: readonly Element[],
  changes: readonly MutationRecord[],
): Element | undefined {
  const row = around.find((each) => each.matches('tr, li') && !each.isConnected);
  const change = changes.find(({ removedNodes }) => row !== undefined && [...removedNodes].includes(row));
  if (row === undefined || change === undefined) return undefined;
  const next = [change.nextSibling, change.previousSibling].find(
    (node): node is Element =>
      node instanceof Element && node.isConnected && node.localName === row.localName,
  );
  const place = [...row.querySelectorAll(REACHABLE)].indexOf(element);
  const choice = [...(next?.querySelectorAll(REACHABLE) ?? [])];
  return choice[Math.min(place, choice.length - 1)];
}

/** Also on what Tab passes by, for as long as the focus is there. */
export function standOn(element: Element | null): void {
  if (!(element instanceof HTMLElement)) return;
  if (element.tabIndex < 0 && !element.hasAttribute('tabindex')) {
    element.tabIndex = -1;
    element.addEventListener('blur', () => element.removeAttribute('tabindex'), { once: true });
  }
  element.focus({ preventScroll: element.matches(REGIONS) });
}
