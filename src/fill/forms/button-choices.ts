import type { FieldOption } from '../values/match-option.ts';

/** One button of a checkbox field or a radio group, as the source describes it. */
export interface Button {
  /** The name of the appearance state that ticks it; null if the source has none. */
  readonly onState: string | null;
  /** Its entry in /Opt (ISO 32000-2, table 230); null if there is none. */
  readonly exported: FieldOption | null;
}

export interface ButtonChoices {
  readonly options: readonly FieldOption[];
  /** For each button, its state (generated if the source has none) and the index of its option. */
  readonly buttons: readonly { readonly onState: string; readonly option: number }[];
}

/**
 * Returns the choices of a row. Checkboxes with the same on-state always switch together. Radio buttons with the same value
 * do so if the group has the flag RadiosInUnison. Without it, radio buttons exclude each other (table 229): each is a
 * separate choice, and equal values are distinguished by a number: `Yes`, `Yes#2`, `Yes#3`.
 */
export function buttonChoices(
  type: 'checkbox' | 'radio',
  inUnison: boolean,
  buttons: readonly Button[],
): ButtonChoices {
  const states = onStates(type, buttons);
  const options: FieldOption[] = [];
  const groups = new Map<string, number>();
  const placed = buttons.map(({ exported }, index) => {
    const onState = states[index] ?? 'Yes';
    const option = exported ?? { value: onState, label: onState };
    const group = type === 'checkbox' ? onState : inUnison ? option.value : `${index}`;
    const known = groups.get(group);
    if (known !== undefined) return { onState, option: known };
    groups.set(group, options.length);
    options.push(option);
    return { onState, option: options.length - 1 };
  });
  return { options: distinct(options), buttons: placed };
}

/** A checkbox without a state uses that of its siblings. A radio button uses its position, as /Opt requires. */
function onStates(type: 'checkbox' | 'radio', buttons: readonly Button[]): string[] {
  const named = new Set(buttons.flatMap(({ onState }) => (onState === null ? [] : [onState])));
  const [first = 'Yes'] = named;
  return buttons.map(({ onState }, index) => {
    if (onState !== null) return onState;
    if (type === 'checkbox') return first;
    let made = `${index}`;
    while (named.has(made)) made += '_';
    return made;
  });
}

/** Numbers later options of the same value. Skips numbers that would produce an existing name (case-insensitive). */
function distinct(options: readonly FieldOption[]): FieldOption[] {
  const taken = new Set(options.map(({ value }) => folded(value)));
  const seen = new Map<string, number>();
  return options.map((option) => {
    let number = (seen.get(option.value) ?? 0) + 1;
    if (number > 1) while (taken.has(folded(`${option.value}#${number}`))) number += 1;
    seen.set(option.value, number);
    if (number === 1) return option;
    const value = `${option.value}#${number}`;
    taken.add(folded(value));
    return { value, label: option.label === option.value ? value : option.label };
  });
}

const folded = (text: string) => text.trim().toLowerCase();
