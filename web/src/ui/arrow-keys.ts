import type { KeyboardEvent } from 'react';

const STEPS: Readonly<Record<'across' | 'down', Readonly<Record<string, number>>>> = {
  across: { ArrowRight: 1, ArrowLeft: -1 },
  down: { ArrowDown: 1, ArrowUp: -1 },
};

/** Which of `count` things in a row a key leads to from the one at `place`; undefined if the key is another one. */
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

/** The buttons of a bar or a menu that can be gone to; those of a menu that opens from it are not its own. */
export const buttonsOf = (box: Element): readonly HTMLElement[] =>
  [...box.querySelectorAll<HTMLElement>('a[href], button:not(:disabled)')].filter(
    (button) => button.checkVisibility() && (button.closest('[popover]') ?? box).contains(box),
  );

/** Arrow keys, Home and End move the focus among the buttons of what listens (WAI-ARIA practices: toolbar, menu). */
export function moveByKey(event: KeyboardEvent<HTMLElement>, direction: 'across' | 'down'): void {
  const buttons = buttonsOf(event.currentTarget);
  const place = buttons.indexOf(event.target as HTMLElement);
  const next = place < 0 ? undefined : placeByKey(event.key, direction, place, buttons.length);
  if (next === undefined) return;
  event.preventDefault();
  buttons[next]?.focus();
}
