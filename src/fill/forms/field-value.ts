import { matchCheckbox, matchOption } from '../rows/match-option.ts';
import type { MappedField, MappedWidget } from './form-state.ts';

/** What a row's text means for one field. */
export type FieldValue =
  | {
      readonly kind: 'text';
      /** For /V. */
      readonly stored: string;
      /** For the page. */
      readonly shown: string;
      /** Longer than /MaxLen allows. */
      readonly cut: boolean;
    }
  | { readonly kind: 'choice'; readonly option: number | null; isOn(widget: MappedWidget): boolean };

/** Null when the field has no such option. */
export function readFieldValue(field: MappedField, text: string): FieldValue | null {
  switch (field.type) {
    case 'text':
      return textValue(field, text);
    case 'dropdown':
      return dropdownValue(field, text);
    case 'radio': {
      const chosen = matchOption(text, field.options);
      if (chosen === 'unknown') return null;
      return choice(chosen === 'clear' ? null : chosen);
    }
    case 'checkbox':
      return checkboxValue(field, text);
  }
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

function dropdownValue(field: MappedField, text: string): FieldValue | null {
  const chosen = matchOption(text, field.options);
  if (chosen === 'clear') return { kind: 'text', stored: '', shown: '', cut: false };
  if (chosen === 'unknown') {
    return field.editable ? { kind: 'text', stored: text, shown: text, cut: false } : null;
  }
  const option = field.options[chosen];
  return { kind: 'text', stored: option?.value ?? '', shown: option?.label ?? '', cut: false };
}

/** A checkbox may have several boxes with values of their own; then a value ticks its box, and a plain "yes" the first. */
function checkboxValue(field: MappedField, text: string): FieldValue | null {
  const named = field.options.findIndex((option) => option.value === text);
  const verdict = matchCheckbox(text, named < 0 ? undefined : text);
  if (verdict === 'unknown') return null;
  return choice(verdict === 'off' ? null : Math.max(0, named));
}

function choice(option: number | null): FieldValue {
  return { kind: 'choice', option, isOn: (widget) => option !== null && widget.option === option };
}
