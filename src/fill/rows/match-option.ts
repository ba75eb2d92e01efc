/**
 * What a text means for a checkbox, a radio group or a dropdown, native or drawn.
 */
const TICK = new Set(['true', 'yes', 'y', '1', 'x', 'on', '✓']);
const UNTICK = new Set(['', 'false', 'no', 'n', '0', 'off']);

/** The words come first, in any case and with spaces around them; then the field's own export value, exactly. */
export function matchCheckbox(text: string, exportValue?: string): 'on' | 'off' | 'unknown' {
  const word = text.trim().toLowerCase();
  if (TICK.has(word)) return 'on';
  if (UNTICK.has(word)) return 'off';
  return exportValue !== undefined && exportValue !== '' && text === exportValue ? 'on' : 'unknown';
}

export interface FieldOption {
  /** The export value, what a submitted form would send. */
  readonly value: string;
  /** What a viewer shows. */
  readonly label: string;
}

/** Index of the chosen option; blank clears the choice. Export value first, then label, then either of them loosely. */
export function matchOption(text: string, options: readonly FieldOption[]): number | 'clear' | 'unknown' {
  if (text.trim() === '') return 'clear';
  const loosely = loose(text);
  const tests: ((option: FieldOption) => boolean)[] = [
    (option) => option.value === text,
    (option) => option.label === text,
    (option) => loose(option.value) === loosely,
    (option) => loose(option.label) === loosely,
  ];
  for (const test of tests) {
    const index = options.findIndex(test);
    if (index >= 0) return index;
  }
  return 'unknown';
}

const loose = (text: string) => text.trim().toLowerCase();

const MAX_SHOWN_CHARACTERS = 40;
const MAX_SHOWN_OPTIONS = 6;

/** What would have been taken. What came is a row's value, and messages travel further than rows do (CON15). */
export function noSuchOption(options: readonly FieldOption[]): string {
  const shown = options.slice(0, MAX_SHOWN_OPTIONS).map(({ value }) => quoted(value));
  const more = options.length > shown.length ? `, and ${options.length - shown.length} more` : '';
  return `has no such option; it has ${shown.length === 0 ? 'none' : shown.join(', ')}${more}.`;
}

export function noTickWord(exportValues: readonly string[]): string {
  const ticking = [...TICK, ...exportValues.slice(0, MAX_SHOWN_OPTIONS)].join(', ');
  const clearing = [...UNTICK].filter((word) => word !== '').join(', ');
  return `the value neither ticks (${ticking}) nor clears (${clearing}, blank).`;
}

function quoted(text: string): string {
  const characters = Array.from(text);
  return `"${characters.slice(0, MAX_SHOWN_CHARACTERS).join('')}${characters.length > MAX_SHOWN_CHARACTERS ? '…' : ''}"`;
}
