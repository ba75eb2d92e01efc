/**
 * Restores the focus when the focused element is removed from the page, such as a deleted row, a finished button or a closed
 * dialog. Browsers drop the focus then: the next Tab starts at the top of the page, and a screen reader stops. This module moves
 * the focus to the nearest element that remains (WCAG 2.2, 2.4.3).
 */
interface Spot {
  readonly element: HTMLElement;
  /** The ancestors of the focused element, from its parent outwards. A removed element no longer has them. */
  readonly around: readonly Element[];
}

const spotOf = (element: HTMLElement): Spot => {
  const around: Element[] = [];
  for (let each = element.parentElement; each !== null; each = each.parentElement) around.push(each);
  return { element, around };
};

let held: Spot | null = null;

/** The element that had the focus when a dialog opened. If the dialog replaced another one, an element of that dialog. */
const openers = new WeakMap<Element, Spot>();

export function rememberOpener(dialog: Element): void {
  if (held !== null) openers.set(dialog, held);
}

export function keepFocus(): () => void {
  const take = ({ target }: FocusEvent) => {
    held = target instanceof HTMLElement ? spotOf(target) : null;
  };
  // The user moved the focus on purpose, unless the element is being removed, which shows before the next task.
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
    // This includes elements that only moved, such as a row of a reordered list.
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

/** For a removed list entry: the control at the same position in the next entry, or in the previous one. */
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

/** Focuses an element, even one that is not in the tab order. It leaves the tab order again when it loses the focus. */
export function standOn(element: Element | null): void {
  if (!(element instanceof HTMLElement)) return;
  if (element.tabIndex < 0 && !element.hasAttribute('tabindex')) {
    element.tabIndex = -1;
    element.addEventListener('blur', () => element.removeAttribute('tabindex'), { once: true });
  }
  element.focus({ preventScroll: element.matches(REGIONS) });
}
