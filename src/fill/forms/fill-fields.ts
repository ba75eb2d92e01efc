import type { BaseResourceState } from '../draw/base-resources.ts';
import { createRowDrawer } from '../draw/create-row-drawer.ts';
import type { SlotDrawing } from '../draw/draw-row.ts';
import { NO_PICTURES } from '../draw/images/picture-value.ts';
import type { FontKit } from '../fonts/font-kit.ts';
import type { Layout } from '../package/layout-schema.ts';
import type { RowWarning, SkipCode } from '../results/row-outcome.ts';
import type { DrawPart, RowPart, SlotContent } from '../row-filler.ts';
import type { ColumnReadings } from '../values/column-readings.ts';
import { noSuchOption, noTickWord } from '../values/match-option.ts';
import { compileValue, type FormatNotes, type ReadValue } from '../values/resolve-value.ts';
import type { RowCells } from '../values/row-cells.ts';
import { compileShowIf } from '../values/show-if.ts';
import type { ObjectNumbers, PdfObject } from '../write/tail-object.ts';
import { compileFieldValue, type FieldValue, isTickBox, type ReadFieldValue } from './field-value.ts';
import type { FormState, MappedField, MappedWidget } from './form-state.ts';
import { listLines, shownLabels } from './list-box.ts';
import { calculatedValue, readyCalculations, shownFormatted, valueText } from './scripts/row-scripts.ts';
import { boxKey, boxOf, cellOf, formBoxes, type ValueBox, valueBoxes } from './value-boxes.ts';
import { buttonObjects, buttonSlot, textObjects, textSlot } from './widget-objects.ts';

/** Fills native form fields from a row. A mapping counts as one overlay, however many widgets its field has. */
export async function formPart(
  state: FormState,
  { form_fields: mappings, fonts: own }: Pick<Layout, 'form_fields' | 'fonts'>,
  assets: ReadonlyMap<string, Uint8Array>,
  resources: BaseResourceState,
  fonts: FontKit,
  readings?: ColumnReadings,
): Promise<DrawPart> {
  const boxes = formBoxes(state, mappings);
  const { layout, pages } = valueBoxes(
    boxes.map(({ box }) => box),
    own,
  );
  const drawer = await createRowDrawer(
    layout,
    { ...NO_PICTURES, assets },
    { ...resources, source: state.fonts },
    pages,
    { includeStickers: false },
    fonts,
  );
  const byName = new Map(state.fields.map((field) => [field.name, field]));
  const boxesOf = Map.groupBy(
    boxes.map(({ field, widget }, index) => ({ field, widget, index })),
    ({ field }) => field,
  );
  const readyField = (field: MappedField | undefined) => ({
    field,
    boxes: field === undefined ? [] : (boxesOf.get(field) ?? []),
    judgeText: field === undefined ? () => null : compileFieldValue(field),
  });
  const fields = mappings.map(
    (mapping): ReadyMapping => ({
      ...readyField(byName.get(mapping.field)),
      id: mapping.id,
      name: mapping.field,
      lost: state.scripts.lost[mapping.field],
      isFormatted: mapping.format !== undefined,
      read: compileValue(mapping.value, mapping.format, readings),
      shows: compileShowIf(mapping.show_if),
    }),
  );
  const ids = new Map(mappings.map(({ field, id }) => [field, id]));
  const computed = readyCalculations(state.scripts, state.fields).map((calculation) => ({
    calculation,
    ready: {
      ...readyField(calculation.field),
      id: ids.get(calculation.calculation.owner) ?? '',
      name: calculation.field.name,
      read: () => '',
      shows: () => true,
    } satisfies ReadyMapping,
  }));
  const owners = new Map(
    [...fields, ...computed.map(({ ready }) => ready)].flatMap(({ id, boxes: own }) =>
      own.map(({ index }) => [index, id] as const),
    ),
  );
  return (cells, numbers) => {
    const row = new FieldRow(numbers, state.flattened);
    const values: { readonly ready: ReadyMapping; readonly value: FieldValue }[] = [];
    const texts = new Map<string, string>();
    const lists = new Map<number, ListValue>();
    const put = (ready: ReadyMapping, value: FieldValue) => {
      values.push({ ready, value });
      for (const { index, widget } of ready.boxes) {
        if (value.kind === 'list') {
          lists.set(index, value);
          putLabels(texts, index, shownLabels(ready.field?.options ?? [], widget.look, value.top));
        } else putText(texts, boxes[index]?.box, index, widget, value);
      }
    };
    for (const ready of fields) {
      const value = row.judge(ready, cells);
      if (value !== null) put(ready, value);
    }
    if (computed.length > 0) {
      const known = new Map(
        values.map(({ ready, value }) => [
          ready.name,
          ready.field === undefined ? '' : valueText(ready.field, value),
        ]),
      );
      for (const { ready, calculation } of computed) {
        const value = calculatedValue(calculation, known, state.scripts.stored, (field, code, message) =>
          row.note(ids.get(field), code, message),
        );
        put(ready, value);
      }
    }
    const drawing = drawer.draw(texts, numbers);
    if (drawing.error !== null) return { ...row.finish([]), error: drawing.error };
    const pages = new Map(drawing.slots.map((slot) => [slot.page, slot]));
    const refused = new Set<string>();
    for (const { overlay_id, code, message } of drawing.warnings) {
      const list = lists.get(boxOf(overlay_id));
      // The other options that a list box shows are the form's text, not the row's.
      if (list !== undefined && !list.chosen.includes(list.top + cellOf(overlay_id))) continue;
      const id = owners.get(boxOf(overlay_id));
      if (code === 'CODE_VALUE_INVALID' && id !== undefined && !refused.has(id)) {
        refused.add(id);
        row.refuse(id, code, message);
      } else row.note(id, code, message);
    }
    for (const { ready, value } of values) if (!refused.has(ready.id)) row.write(ready, value, pages);
    return row.finish(drawing.objects);
  };
}

type ListValue = Extract<FieldValue, { kind: 'list' }>;

interface ReadyMapping {
  readonly id: string;
  readonly name: string;
  readonly field: MappedField | undefined;
  readonly boxes: readonly { readonly index: number; readonly widget: MappedWidget }[];
  /** The effect of an unsupported script of the form, which is lost. */
  readonly lost?: string | undefined;
  /** The layout formats the value itself. */
  readonly isFormatted?: boolean;
  readonly read: ReadValue;
  readonly judgeText: ReadFieldValue;
  readonly shows: (cells: RowCells) => boolean;
}

function putLabels(texts: Map<string, string>, index: number, labels: readonly string[]): void {
  for (const [line, label] of labels.entries()) if (label !== '') texts.set(boxKey(index, line), label);
}

function putText(
  texts: Map<string, string>,
  box: ValueBox | undefined,
  index: number,
  widget: MappedWidget,
  value: Exclude<FieldValue, ListValue>,
): void {
  if (box === undefined) return;
  if (value.kind === 'choice') {
    if (value.isOn(widget)) texts.set(boxKey(index), 'x');
    return;
  }
  if (box.cells === 0) {
    if (value.shown !== '') texts.set(boxKey(index, 0, value.red), value.shown);
    return;
  }
  [...value.shown].forEach((character, cell) => {
    if (character !== ' ') texts.set(boxKey(index, cell, value.red), character);
  });
}

function unknownOption(field: MappedField): string {
  const { name, options } = field;
  if (!isTickBox(field)) return `The field ${name} ${noSuchOption(options)}`;
  const values = options.map(({ value }) => value);
  return `The field ${name} is a checkbox: ${noTickWord(values)}`;
}

function isBlank(value: FieldValue): boolean {
  switch (value.kind) {
    case 'text':
      return value.stored === '';
    case 'list':
      return value.chosen.length === 0;
    case 'choice':
      return value.option === null;
  }
}

/** Collects the changes of one row to the form. */
class FieldRow {
  readonly #numbers: ObjectNumbers;
  readonly #flattened: boolean;
  readonly #objects: PdfObject[] = [];
  readonly #slots: SlotContent[] = [];
  readonly #warnings: RowWarning[] = [];
  readonly #noted = new Set<string>();
  #applied = 0;
  #skipped = 0;
  /** The mapping whose value is being read. */
  #reading = '';
  readonly #formatNotes: FormatNotes = {
    note: (code, message) => this.note(this.#reading, code, message),
  };

  constructor(numbers: ObjectNumbers, flattened: boolean) {
    this.#numbers = numbers;
    this.#flattened = flattened;
  }

  /** Returns the value to write, or null if the mapping is skipped or not shown. */
  judge(
    { id, name, field, read, judgeText, shows, lost, isFormatted }: ReadyMapping,
    cells: RowCells,
  ): FieldValue | null {
    if (!shows(cells)) {
      this.#applied += 1;
      return null;
    }
    if (field === undefined) {
      return this.#skip(id, 'FORM_FIELD_MISSING', `The PDF has no field ${name} that can be filled.`);
    }
    if (field.barcode?.kind === 'unsupported') {
      const message = `The field ${name} is a barcode that cannot be drawn: ${field.barcode.reason}.`;
      return this.#skip(id, 'CODE_VALUE_INVALID', message);
    }
    this.#reading = id;
    const value = judgeText(read(cells, this.#formatNotes));
    if (value === null) return this.#skip(id, 'OPTION_UNKNOWN', unknownOption(field));
    this.#applied += 1;
    if (field.hidden && !isBlank(value)) {
      const fate = this.#flattened ? 'is not in the document' : 'is stored but not shown';
      this.note(id, 'FIELD_HIDDEN', `The field ${name} is hidden in the PDF: its value ${fate}.`);
    }
    if (value.kind === 'text' && value.cut) {
      this.note(
        id,
        'TEXT_CLIPPED',
        `The text is longer than the ${field.maxLength} characters of its field and was truncated.`,
      );
    }
    if (lost !== undefined) this.note(id, 'CALCULATION_REMOVED', lost);
    if (field.format === null && field.combCells === 0) return value;
    return shownFormatted(
      field,
      value,
      isFormatted === true ? null : (code, message) => this.note(id, code, message),
    );
  }

  write(
    { id, field, boxes }: ReadyMapping,
    value: FieldValue,
    pages: ReadonlyMap<number, SlotDrawing>,
  ): void {
    if (field === undefined) return;
    const drawn = new Map<MappedWidget, SlotDrawing>();
    for (const { index, widget } of boxes) {
      const slot = pages.get(index + 1);
      if (slot !== undefined) drawn.set(widget, slot);
      if (
        value.kind === 'text' &&
        value.shown !== '' &&
        field.barcode === null &&
        widget.look.height < widget.look.size
      ) {
        this.note(id, 'TEXT_CLIPPED', 'The field is not high enough for its font size; the text is clipped.');
      }
      if (value.kind === 'list' && (value.chosen.at(-1) ?? 0) >= value.top + listLines(widget.look).count) {
        this.note(id, 'TEXT_CLIPPED', 'The list box is not high enough to show all chosen options.');
      }
    }
    if (this.#flattened) {
      for (const widget of field.widgets) {
        const slot =
          value.kind === 'choice'
            ? buttonSlot(widget, value, drawn.get(widget))
            : textSlot(widget, drawn.get(widget), value);
        if (slot !== null) this.#slots.push(slot);
      }
      return;
    }
    const objects =
      value.kind === 'choice'
        ? buttonObjects(field, value, drawn, this.#numbers)
        : textObjects(field, value, drawn, this.#numbers);
    for (const object of objects) this.#objects.push(object);
  }

  finish(drawn: readonly PdfObject[]): RowPart {
    return {
      slots: this.#slots,
      objects: [...drawn, ...this.#objects],
      applied: this.#applied,
      skipped: this.#skipped,
      warnings: this.#warnings,
      error: null,
    };
  }

  /** Skips a mapping that was counted as applied but whose value could not be drawn. Its field stays unchanged. */
  refuse(id: string, code: SkipCode, message: string): void {
    this.#applied -= 1;
    this.#skip(id, code, message);
  }

  #skip(id: string, code: SkipCode, message: string): null {
    this.#skipped += 1;
    this.#warnings.push({ code, message, overlay_id: id });
    return null;
  }

  /** Adds a warning once per mapping: a comb must not warn for each cell. */
  note(id: string | undefined, code: RowWarning['code'], message: string): void {
    if (id === undefined) return;
    const noted = `${code} ${id}`;
    if (this.#noted.has(noted)) return;
    this.#noted.add(noted);
    this.#warnings.push({ code, message, overlay_id: id });
  }
}
