import { type PdfArray, type PdfDict, type PdfObject, type PdfRef, PdfString } from '@libpdf/core';
import type { FormFieldType } from '../package/form-field-types.ts';
import {
  isArray,
  isDict,
  isRef,
  isStream,
  nameOf,
  numberOf,
  type SourceDocument,
} from '../prepare/load-source.ts';
import type { SourcePage } from '../prepare/page-tree.ts';
import type { FieldOption } from '../values/match-option.ts';
import { type Button, buttonChoices } from './button-choices.ts';
import { decodeTextString } from './text-string.ts';

/**
 * A field of the AcroForm, read as a flat list (ISO 32000-2 §12.7.4). A field may be its own widget, have several, or
 * share its full name with other dictionaries. All of these show one value, so they are one entry.
 */
export interface SourceField {
  readonly name: string;
  readonly type: FormFieldType;
  readonly flags: number;
  readonly maxLength: number | null;
  readonly options: readonly FieldOption[];
  /** The option that a list box shows first. */
  readonly topIndex: number;
  /** Dictionaries that contain /V: one per field dictionary of this name. */
  readonly holders: PdfRef[];
  readonly widgets: SourceWidget[];
}

export interface SourceWidget {
  readonly ref: PdfRef;
  readonly dict: PdfDict;
  /** The state name that ticks a button (button-choices.ts). */
  readonly onState: string | null;
  /** Whether the source has a picture of the ticked button. */
  readonly hasOnAppearance: boolean;
  /** Index in `options` of the choice that ticks this button. */
  readonly option: number | null;
  readonly defaultAppearance: string | null;
  readonly quadding: number;
}

export const FIELD_FLAGS = {
  multiline: 1 << 12,
  password: 1 << 13,
  radio: 1 << 15,
  pushbutton: 1 << 16,
  combo: 1 << 17,
  edit: 1 << 18,
  multiSelect: 1 << 21,
  comb: 1 << 24,
  radiosInUnison: 1 << 25,
} as const;

/** Limit for damaged files, because each cell is a separate box. */
const MAX_COMB_CELLS = 500;

/** Returns the number of equal cells of a comb, or 0 if the field is not a comb (ISO 32000-2, table 230, bit 25). */
export function combCells({
  type,
  flags,
  maxLength,
}: Pick<SourceField, 'type' | 'flags' | 'maxLength'>): number {
  const running = FIELD_FLAGS.multiline | FIELD_FLAGS.password;
  if (type !== 'text' || (flags & FIELD_FLAGS.comb) === 0 || (flags & running) !== 0) return 0;
  return Math.min(Math.max(0, Math.floor(maxLength ?? 0)), MAX_COMB_CELLS);
}

interface Inherited {
  readonly name: string | null;
  readonly type: string | null;
  readonly flags: number;
  readonly maxLength: number | null;
  readonly options: PdfArray | null;
  readonly topIndex: number;
  readonly defaultAppearance: string | null;
  readonly quadding: number;
}

const MAX_DEPTH = 64;
const MAX_FIELDS = 20_000;

export function acroForm(source: SourceDocument): PdfDict | null {
  const form = source.resolve(source.catalog.get('AcroForm'));
  return isDict(form) ? form : null;
}

export function readFields(source: SourceDocument, pages: readonly SourcePage[]): SourceField[] {
  const form = acroForm(source);
  const fields = new Map<string, ReadField>();
  const visited = new Set<PdfDict>();
  const root: Inherited = {
    name: null,
    type: null,
    flags: 0,
    maxLength: null,
    options: null,
    topIndex: 0,
    defaultAppearance: textOf(source.resolve(form?.get('DA'))),
    quadding: numberOf(source.resolve(form?.get('Q'))) ?? 0,
  };

  const visit = (object: PdfObject, from: Inherited, depth: number): void => {
    const dict = source.resolve(object);
    if (!isRef(object) || !isDict(dict) || visited.has(dict) || depth > MAX_DEPTH) return;
    visited.add(dict);
    const own = inherit(source, dict, from);
    const kids = source.resolve(dict.get('Kids'));
    const children = isArray(kids) ? [...kids] : [];
    const named = children.filter((kid) => isDict(source.resolve(kid)) && hasName(source, kid));
    if (named.length > 0) {
      for (const kid of children) visit(kid, own, depth + 1);
      return;
    }
    if (own.name === null || own.type === null || fields.size >= MAX_FIELDS) return;
    const field = entry(fields, source, own);
    field.holders.push(object);
    if (children.length === 0) addWidget(source, field, object, dict, own, 0);
    for (const [index, kid] of children.entries()) {
      const widget = source.resolve(kid);
      if (!isRef(kid) || !isDict(widget) || visited.has(widget)) continue;
      visited.add(widget);
      addWidget(source, field, kid, widget, inherit(source, widget, own), index);
    }
  };

  const listed = source.resolve(form?.get('Fields'));
  if (isArray(listed)) for (const field of listed) visit(field, root, 0);
  for (const page of pages) for (const top of unlistedFields(source, page, visited)) visit(top, root, 0);
  return [...fields.values()].map(withChoices);
}

/** A field whose buttons are read one by one. Its choices are complete after the last button. */
interface ReadField extends SourceField {
  readonly buttons: Button[];
}

function withChoices({ buttons, ...field }: ReadField): SourceField {
  if (field.type !== 'checkbox' && field.type !== 'radio') return field;
  const inUnison = (field.flags & FIELD_FLAGS.radiosInUnison) !== 0;
  const choices = buttonChoices(field.type, inUnison, buttons);
  const widgets = field.widgets.map((widget, index) => ({ ...widget, ...choices.buttons[index] }));
  return { ...field, widgets, options: choices.options };
}

function entry(fields: Map<string, ReadField>, source: SourceDocument, own: Inherited): ReadField {
  const name = own.name ?? '';
  const known = fields.get(name);
  if (known !== undefined) return known;
  const type = typeOf(own);
  const field: ReadField = {
    name,
    type,
    flags: own.flags,
    maxLength: type === 'text' ? own.maxLength : null,
    options: type === 'dropdown' || type === 'listbox' ? choiceOptions(source, own.options) : [],
    topIndex: own.topIndex,
    holders: [],
    widgets: [],
    buttons: [],
  };
  fields.set(name, field);
  return field;
}

function addWidget(
  source: SourceDocument,
  field: ReadField,
  ref: PdfRef,
  dict: PdfDict,
  own: Inherited,
  index: number,
): void {
  const isButton = field.type === 'checkbox' || field.type === 'radio';
  const state = isButton ? onStateOf(source, dict) : null;
  if (isButton) {
    // /Opt has one entry for each of the field's kids (table 230), even for kids that are not widgets.
    const exported = optionOf(source, own.options?.at(index));
    field.buttons.push({ onState: state?.name ?? null, exported });
  }
  field.widgets.push({
    ref,
    dict,
    onState: null,
    hasOnAppearance: state?.drawn ?? false,
    option: null,
    defaultAppearance: own.defaultAppearance,
    quadding: own.quadding,
  });
}

/** Reads widgets on pages that are not reachable from /Fields. Readers treat them as fields too. */
function unlistedFields(source: SourceDocument, page: SourcePage, visited: ReadonlySet<PdfDict>): PdfRef[] {
  const annotations = source.resolve(page.dict.get('Annots'));
  if (!isArray(annotations)) return [];
  const tops: PdfRef[] = [];
  for (const annotation of annotations) {
    const widget = source.resolve(annotation);
    if (!isRef(annotation) || !isDict(widget) || visited.has(widget)) continue;
    if (nameOf(source.resolve(widget.get('Subtype'))) !== 'Widget') continue;
    let top = annotation;
    for (let depth = 0; depth < MAX_DEPTH; depth += 1) {
      const dict = source.resolve(top);
      const parent = isDict(dict) ? dict.get('Parent') : undefined;
      if (!isRef(parent) || !isDict(source.resolve(parent))) break;
      top = parent;
    }
    tops.push(top);
  }
  return tops;
}

function inherit(source: SourceDocument, dict: PdfDict, from: Inherited): Inherited {
  const partial = textOf(source.resolve(dict.get('T')));
  const options = source.resolve(dict.get('Opt'));
  return {
    name: partial === null ? from.name : from.name === null ? partial : `${from.name}.${partial}`,
    type: nameOf(source.resolve(dict.get('FT'))) ?? from.type,
    flags: numberOf(source.resolve(dict.get('Ff'))) ?? from.flags,
    maxLength: numberOf(source.resolve(dict.get('MaxLen'))) ?? from.maxLength,
    options: isArray(options) ? options : from.options,
    topIndex: Math.max(0, Math.floor(numberOf(source.resolve(dict.get('TI'))) ?? from.topIndex)),
    defaultAppearance: textOf(source.resolve(dict.get('DA'))) ?? from.defaultAppearance,
    quadding: numberOf(source.resolve(dict.get('Q'))) ?? from.quadding,
  };
}

function typeOf({ type, flags }: Inherited): FormFieldType {
  switch (type) {
    case 'Tx':
      return 'text';
    case 'Sig':
      return 'signature';
    case 'Ch':
      return flags & FIELD_FLAGS.combo ? 'dropdown' : 'listbox';
    case 'Btn':
      return flags & FIELD_FLAGS.pushbutton ? 'button' : flags & FIELD_FLAGS.radio ? 'radio' : 'checkbox';
    default:
      return 'unknown';
  }
}

function choiceOptions(source: SourceDocument, array: PdfArray | null): FieldOption[] {
  const options: FieldOption[] = [];
  for (const item of array ?? []) {
    // An entry that is not an option keeps its index, because /I counts all of them. A blank can never be chosen.
    options.push(optionOf(source, item) ?? { value: '', label: '' });
  }
  return options;
}

/** Reads an entry of /Opt: a text, or a pair of export value and label. */
function optionOf(source: SourceDocument, item: PdfObject | undefined): FieldOption | null {
  const resolved = source.resolve(item);
  const value = isArray(resolved) ? textOf(source.resolve(resolved.at(0))) : textOf(resolved);
  const label = isArray(resolved) ? textOf(source.resolve(resolved.at(1))) : value;
  return value === null ? null : { value, label: label ?? value };
}

/** Returns the name of the state that is not Off, and whether it has a picture. Some files have names without pictures. */
function onStateOf(source: SourceDocument, widget: PdfDict): { name: string; drawn: boolean } | null {
  const appearances = source.resolve(widget.get('AP'));
  let named: string | null = null;
  for (const kind of ['N', 'D']) {
    const states = isDict(appearances) ? source.resolve(appearances.get(kind)) : null;
    if (!isDict(states) || states.type !== 'dict') continue;
    for (const [{ value: name }, picture] of states) {
      if (name === 'Off') continue;
      named ??= name;
      if (kind === 'N' && isStream(source.resolve(picture))) return { name, drawn: true };
    }
  }
  return named === null ? null : { name: named, drawn: false };
}

const hasName = (source: SourceDocument, kid: PdfObject) => {
  const dict = source.resolve(kid);
  return isDict(dict) && dict.has('T');
};

export function textOf(object: PdfObject | null): string | null {
  return object instanceof PdfString ? decodeTextString(object) : null;
}

export const isTrue = (object: PdfObject | null) =>
  object !== null && object.type === 'bool' && (object as { value: boolean }).value;
