/**
 * Matches a text to the options of a checkbox, a radio group, a dropdown or a list box, native or drawn. Options are
 * compiled once: a dropdown may have thousands of them, and every row looks one up.
 */
const TICK = new Set(['true', 'yes', 'y', '1', 'x', 'on', '✓']);
const UNTICK = new Set(['false', 'no', 'n', '0', 'off']);

export interface FieldOption {
  /** The export value, which a submitted form would contain. */
  readonly value: string;
  /** The text that a viewer shows. */
  readonly label: string;
}

/** Index of the chosen option; blank clears the choice. */
export type MatchOption = (text: string) => number | 'clear' | 'unknown';

/** Compares the export value, then the label, then either of them trimmed and in any case. The first of equal options wins. */
export function compileOptions(options: readonly FieldOption[]): MatchOption {
  const ways: readonly ((option: FieldOption) => string)[] = [
    ({ value }) => value,
    ({ label }) => label,
    ({ value }) => loose(value),
    ({ label }) => loose(label),
  ];
  const [byValue, byLabel, byLooseValue, byLooseLabel] = ways.map((keyOf) => indexBy(options, keyOf));
  return (text) => {
    const loosely = loose(text);
    if (loosely === '') return 'clear';
    return (
      byValue?.get(text) ??
      byLabel?.get(text) ??
      byLooseValue?.get(loosely) ??
      byLooseLabel?.get(loosely) ??
      'unknown'
    );
  };
}

/** Matches a box with a single on-state: its option ticks it, then words such as yes and no apply. A blank clears it. */
export type MatchTick = (text: string) => 'on' | 'off' | 'unknown';

export function compileTick(options: readonly FieldOption[]): MatchTick {
  const match = compileOptions(options);
  return (text) => {
    const chosen = match(text);
    if (chosen === 'clear') return 'off';
    if (chosen !== 'unknown') return 'on';
    const word = loose(text);
    return TICK.has(word) ? 'on' : UNTICK.has(word) ? 'off' : 'unknown';
  };
}

function indexBy(options: readonly FieldOption[], keyOf: (option: FieldOption) => string) {
  const found = new Map<string, number>();
  for (const [index, option] of options.entries()) {
    const key = keyOf(option);
    if (!found.has(key)) found.set(key, index);
  }
  return found;
}

const loose = (text: string) => text.trim().toLowerCase();

const MAX_SHOWN_CHARACTERS = 40;
const MAX_SHOWN_OPTIONS = 6;

/** The accepted values. The message does not contain the row's value, because messages are stored longer than rows (CON15). */
export function noSuchOption(options: readonly FieldOption[]): string {
  const shown = options.slice(0, MAX_SHOWN_OPTIONS).map(({ value }) => quoted(value));
  const more = options.length > shown.length ? `, and ${options.length - shown.length} more` : '';
  return `has no such option; it has ${shown.length === 0 ? 'none' : shown.join(', ')}${more}.`;
}

export function noTickWord(exportValues: readonly string[]): string {
  const ticking = [...exportValues.slice(0, MAX_SHOWN_OPTIONS), ...TICK].join(', ');
  const clearing = [...UNTICK].join(', ');
  return `the value neither ticks (${ticking}) nor clears (${clearing}, blank).`;
}

function quoted(text: string): string {
  const characters = Array.from(text);
  return `"${characters.slice(0, MAX_SHOWN_CHARACTERS).join('')}${characters.length > MAX_SHOWN_CHARACTERS ? '…' : ''}"`;
}
