import type { SlotDrawing } from '../draw/draw-row.ts';
import type { SlotContent } from '../row-filler.ts';
import { escapeName } from '../write/pdf-name.ts';
import type { ObjectNumbers, PdfObject } from '../write/tail-object.ts';
import type { FieldValue } from './field-value.ts';
import type { MappedField, MappedWidget } from './form-state.ts';
import { chosenGround } from './list-box.ts';

// Writes the objects that show and store a field's value: dictionaries and appearance streams, or filled slots.

type TextValue = Extract<FieldValue, { kind: 'text' | 'list' }>;
type ChoiceValue = Extract<FieldValue, { kind: 'choice' }>;
type Drawn = ReadonlyMap<MappedWidget, SlotDrawing>;

const encoder = new TextEncoder();

export function textObjects(
  field: MappedField,
  value: TextValue,
  drawn: Drawn,
  numbers: ObjectNumbers,
): PdfObject[] {
  const stored = value.kind === 'text' ? `/V ${textString(value.stored)}` : storedList(field, value);
  const objects: PdfObject[] = [];
  for (const widget of field.widgets) {
    const num = numbers.next();
    objects.push({ num, body: appearance(widget, drawn.get(widget), true, groundOf(widget, value)) });
    const own = widget.holder === null ? '' : stored;
    objects.push({ num: widget.num, body: encoder.encode(`${widget.dict}/AP<</N ${num} 0 R>>${own}>>`) });
  }
  return [...objects, ...holderObjects(field, stored)];
}

/** One chosen option is stored as a text, several as an array, and none as no value (§12.7.5.4). */
function storedList(
  { options }: MappedField,
  { chosen, top }: Extract<FieldValue, { kind: 'list' }>,
): string {
  const scrolled = top > 0 ? `/TI ${top}` : '';
  if (chosen.length === 0) return scrolled;
  const values = chosen.map((option) => textString(options[option]?.value ?? ''));
  const value = values.length === 1 ? ` ${values[0]}` : `[${values.join(' ')}]`;
  return `/V${value}/I[${chosen.join(' ')}]${scrolled}`;
}

/** Returns the drawing between the widget's background and the text. */
function groundOf({ look }: MappedWidget, value: TextValue): string {
  if (value.kind === 'text') return '';
  const lines = value.chosen.map((option) => option - value.top);
  return chosenGround(look, lines);
}

export function buttonObjects(
  field: MappedField,
  value: ChoiceValue,
  drawn: Drawn,
  numbers: ObjectNumbers,
): PdfObject[] {
  const chosen = field.widgets.find((widget) => value.isOn(widget));
  const stored = `/V${escapeName(chosen?.onState ?? 'Off')}`;
  const objects: PdfObject[] = [];
  for (const widget of field.widgets) {
    const state = escapeName(value.isOn(widget) ? (widget.onState ?? 'Off') : 'Off');
    let pictures = '';
    if (!widget.hasPictures) {
      const on = numbers.next();
      const off = numbers.next();
      objects.push({ num: on, body: appearance(widget, drawn.get(widget), false) });
      objects.push({ num: off, body: appearance(widget, undefined, false) });
      pictures = `/AP<</N<<${escapeName(widget.onState ?? 'Yes')} ${on} 0 R/Off ${off} 0 R>>>>`;
    }
    const own = widget.holder === null ? '' : stored;
    objects.push({ num: widget.num, body: encoder.encode(`${widget.dict}/AS${state}${pictures}${own}>>`) });
  }
  return [...objects, ...holderObjects(field, stored)];
}

/** Writes field dictionaries that are not themselves widgets. */
function holderObjects(field: MappedField, stored: string): PdfObject[] {
  return field.holders.flatMap((holder, index) =>
    field.widgets.some((widget) => widget.holder === index)
      ? []
      : [{ num: holder.num, body: encoder.encode(`${holder.dict}${stored}>>`) }],
  );
}

export function textSlot(
  widget: MappedWidget,
  drawing: SlotDrawing | undefined,
  value?: TextValue,
): SlotContent | null {
  if (widget.slot === null) return null;
  return {
    slot: widget.slot,
    content: inked(widget, drawing, false, value === undefined ? '' : groundOf(widget, value)),
    resources: drawing?.resources ?? '<<>>',
  };
}

export function buttonSlot(
  widget: MappedWidget,
  value: ChoiceValue,
  drawing: SlotDrawing | undefined,
): SlotContent | null {
  if (widget.slot === null) return null;
  if (!widget.hasPictures) return textSlot(widget, drawing);
  const picture = value.isOn(widget) ? widget.states.on : widget.states.off;
  // The slot shows the source's state until it is written, so write it even if the new state has no picture.
  if (picture === null) return { slot: widget.slot, content: new Uint8Array(), resources: '<<>>' };
  return {
    slot: widget.slot,
    content: encoder.encode(`q ${picture.matrix} cm /A Do Q`),
    resources: `<</XObject<</A ${picture.num} 0 R>>>>`,
  };
}

/** A Form XObject with the widget's background and value. `/Tx BMC` marks the part that readers may replace (§12.7.4.3). */
export function appearance(
  widget: Pick<MappedWidget, 'look'>,
  drawing: SlotDrawing | undefined,
  isText: boolean,
  under = '',
): Uint8Array {
  const content = inked(widget, drawing, isText, under);
  const head = encoder.encode(
    `${widget.look.head}${drawing?.resources ?? '<<>>'}/Length ${content.length}>>\nstream\n`,
  );
  return join([head, content, encoder.encode('\nendstream')]);
}

function inked(
  { look }: Pick<MappedWidget, 'look'>,
  drawing: SlotDrawing | undefined,
  isText: boolean,
  under: string,
): Uint8Array {
  const before = encoder.encode(`${look.ground}${isText ? '/Tx BMC q\n' : ''}${under}`);
  const after = encoder.encode(isText ? '\nQ EMC' : '');
  return join([before, drawing?.content ?? new Uint8Array(), after]);
}

function join(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((total, part) => total + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/**
 * Writes a text string (ISO 32000-2 §7.9.2.2): ASCII unchanged, anything else as UTF-16 with a byte order mark. In UTF-16,
 * U+001B starts and ends a language code, which readers omit, so the character cannot be stored.
 */
export function textString(text: string): string {
  let digits = '';
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit > 0x7e || (unit < 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09))
      return utf16String(text);
    digits += unit.toString(16).padStart(2, '0');
  }
  return `<${digits}>`;
}

const ESCAPE = 0x1b;

function utf16String(text: string): string {
  let digits = 'feff';
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit !== ESCAPE) digits += unit.toString(16).padStart(4, '0');
  }
  return `<${digits}>`;
}
