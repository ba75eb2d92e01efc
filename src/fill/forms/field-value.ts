import { compileOptions, compileTick, type MatchOption } from '../values/match-option.ts';
import type { MappedField, MappedWidget } from './form-state.ts';
import { chosenOptions, listLines, topOption } from './list-box.ts';

/** A row's text as the value of one field. */
export type FieldValue =
  | {
      readonly kind: 'text';
      /** Stored in /V. */
      readonly stored: string;
      /** Shown on the page. */
      readonly shown: string;
      /** Longer than /MaxLen allows. */
      readonly cut: boolean;
      /** Shown in red, as some forms show negative numbers. */
      readonly red?: boolean;
    }
  | {
      readonly kind: 'list';
      /** Indexes of the chosen options, ascending. */
      readonly chosen: readonly number[];
      /** The first option that is shown. */
      readonly top: number;
    }
  | { readonly kind: 'choice'; readonly option: number | null; isOn(widget: MappedWidget): boolean };

/** Returns null if the field has no such option. */
export type ReadFieldValue = (text: string) => FieldValue | null;

/** Compiles the options of a field once for all rows. */
export function compileFieldValue(field: MappedField): ReadFieldValue {
  switch (field.type) {
    case 'text':
      return (text) => textValue(field, text);
    case 'dropdown':
      return dropdownValue(field, compileOptions(field.options));
    case 'listbox':
      return listValue(field, compileOptions(field.options));
    case 'radio':
      return buttonValue(compileOptions(field.options));
    case 'checkbox': {
      // A checkbox with several on-states works like a radio group: "no" must choose the option "No", not clear the field.
      if (!isTickBox(field)) return buttonValue(compileOptions(field.options));
      const match = compileTick(field.options);
      return (text) => {
        const verdict = match(text);
        return verdict === 'unknown' ? null : choice(verdict === 'on' ? 0 : null);
      };
    }
  }
}

/** Returns whether the field accepts tick words, which are meaningful only for a single box. */
export const isTickBox = ({ type, options }: Pick<MappedField, 'type' | 'options'>): boolean =>
  type === 'checkbox' && options.length === 1;

function buttonValue(match: MatchOption): ReadFieldValue {
  return (text) => {
    const chosen = match(text);
    if (chosen === 'unknown') return null;
    return choice(chosen === 'clear' ? null : chosen);
  };
}

function textValue(field: MappedField, text: string): FieldValue {
  const line = field.multiline ? text : text.replace(/\r\n|[\r\n]/g, ' ');
  const characters = Array.from(line);
  const max = field.maxLength ?? Number.POSITIVE_INFINITY;
  const cut = max > 0 && characters.length > max;
  const stored = cut ? characters.slice(0, max).join('') : line;
  return {
    kind: 'text',
    stored,
    shown: field.password ? '*'.repeat(Array.from(stored).length) : stored,
    cut,
  };
}

function dropdownValue(field: MappedField, match: MatchOption): ReadFieldValue {
  return (text) => {
    const chosen = match(text);
    if (chosen === 'clear') return { kind: 'text', stored: '', shown: '', cut: false };
    if (chosen === 'unknown') {
      return field.editable ? { kind: 'text', stored: text, shown: text, cut: false } : null;
    }
    const option = field.options[chosen];
    return { kind: 'text', stored: option?.value ?? '', shown: option?.label ?? '', cut: false };
  };
}

function listValue(field: MappedField, match: MatchOption): ReadFieldValue {
  const shown = field.widgets.reduce(
    (least, { look }) => Math.min(least, listLines(look).count),
    field.options.length,
  );
  return (text) => {
    const chosen = chosenOptions(text, match, field);
    if (chosen === null) return null;
    return {
      kind: 'list',
      chosen,
      top: topOption(chosen[0], field.topIndex, shown, field.options.length),
    };
  };
}

function choice(option: number | null): FieldValue {
  return { kind: 'choice', option, isOn: (widget) => option !== null && widget.option === option };
}
