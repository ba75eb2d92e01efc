import type { KeyboardEvent } from 'react';

const STEPS: Readonly<Record<'across' | 'down', Readonly<Record<string, number>>>> = {
  across: { ArrowRight: 1, ArrowLeft: -1 },
  down: { ArrowDown: 1, ArrowUp: -1 },
};

/** Returns the index that a key moves to from `place` among `count` items, or undefined for any other key. */
export function placeByKey(
  key: string,
  direction: 'across' | 'down',
  place: number,
  count: number,
): number | undefined {
  if (key === 'Home') return 0;
  if (key === 'End') return count - 1;
  const step = STEPS[direction][key];
  return step === undefined ? undefined : (place + step + count) % count;
}

/** Returns the enabled buttons of a toolbar or menu, without those of its submenus. */
export const buttonsOf = (box: Element): readonly HTMLElement[] =>
  [...box.querySelectorAll<HTMLElement>('a[href], button:not(:disabled)')].filter(
    (button) => button.checkVisibility() && (button.closest('[popover]') ?? box).contains(box),
  );

/** Moves the focus among the buttons of the element with arrow keys, Home and End (WAI-ARIA practices: toolbar, menu). */
export function moveByKey(event: KeyboardEvent<HTMLElement>, direction: 'across' | 'down'): void {
  const buttons = buttonsOf(event.currentTarget);
  const place = buttons.indexOf(event.target as HTMLElement);
  const next = place < 0 ? undefined : placeByKey(event.key, direction, place, buttons.length);
  if (next === undefined) return;
  event.preventDefault();
  buttons[next]?.focus();
}
