import type { PdfDict } from '@libpdf/core';
import { isFillable } from '../package/form-field-types.ts';
import type { GraphWriter } from '../prepare/graph-writer.ts';
import type { SourceDocument } from '../prepare/load-source.ts';
import type { StructureTree } from '../prepare/structure-tree.ts';
import { fieldBarcode } from './barcode-field.ts';
import { FlattenedWidgets, type FormPage } from './flatten-widgets.ts';
import type { FormState, MappedField } from './form-state.ts';
import { mappedField } from './mapped-fields.ts';
import { MissingPictures, type PendingPicture } from './missing-pictures.ts';
import { acroForm, isTrue, type SourceField } from './read-fields.ts';
import { planScripts } from './scripts/plan-scripts.ts';
import { SourceFonts } from './source-fonts.ts';
import { flattenedWidgets } from './widget-visibility.ts';

/**
 * The plan for native fields, made while a base is prepared. Without flattening, a mapped field keeps its dictionaries,
 * whose texts are stored for rewriting. With flattening, every widget becomes page content and the form is removed.
 */
export interface FormPlan {
  /** Page content below all overlays, by page index. */
  readonly content: ReadonlyMap<number, string>;
  /** Pictures to be drawn into the base after the fonts are embedded. */
  readonly pending: readonly PendingPicture[];
  /** Called after all objects are registered, because numbers do not exist earlier. */
  state(writer: GraphWriter): FormState;
  /** Initial content of the slots of flattened fields, by object number. */
  slotBodies(writer: GraphWriter): ReadonlyMap<number, Uint8Array>;
}

const BUTTONS = new Set<string>(['button', 'checkbox', 'radio']);

export function planForms(
  source: SourceDocument,
  pages: readonly FormPage[],
  fields: readonly SourceField[],
  mappedNames: ReadonlySet<string>,
  flatten: boolean,
  structure: StructureTree | null,
): FormPlan {
  const form = acroForm(source);
  const readersDraw = isTrue(source.resolve(form?.get('NeedAppearances')));
  form?.delete('NeedAppearances');
  const missing = new MissingPictures(source);
  for (const field of fields) {
    for (const widget of field.widgets) missing.add(field, widget, readersDraw);
  }
  const scripts = planScripts(source, fields, mappedNames);
  const isFilled = (name: string) => mappedNames.has(name) || scripts.computed.has(name);
  const mapped = fields.filter((field) => isFilled(field.name) && isFillable(field.type));
  const isMapped = new Set(mapped.flatMap((field) => field.widgets.map(({ dict }) => dict)));
  const buttons = fields.filter(({ type }) => BUTTONS.has(type));
  const isButton = new Set(buttons.flatMap((field) => field.widgets.map(({ dict }) => dict)));
  const rules = {
    isMapped,
    isKept: flattenedWidgets(source, fields, isMapped),
    isButton: (widget: PdfDict) => isButton.has(widget),
  };
  const flattened = new FlattenedWidgets(source, rules, structure, missing.pending);
  if (flatten) for (const page of pages) flattened.flatten(page);
  return {
    content: flattened.content,
    pending: missing.pending,
    state: (writer) => {
      const fonts = new SourceFonts(source, writer);
      return {
        flattened: flatten,
        fields: mapped.map((field) => ({
          ...withFonts(mappedField(source, writer, field, flattened.slots, flatten), field, fonts),
          format: scripts.formatOf(field.name),
          barcode: fieldBarcode(source, field),
        })),
        scripts: scripts.state,
        fonts: fonts.faces,
      };
    },
    slotBodies: (writer) => flattened.slotBodies(writer),
  };
}

/** Sets the text of widgets in the font that they name, if the source embeds it in a usable form. */
function withFonts<Field extends Pick<MappedField, 'widgets' | 'type'>>(
  mapped: Field,
  { widgets }: SourceField,
  fonts: SourceFonts,
): Field {
  if (mapped.type !== 'text' && mapped.type !== 'dropdown') return mapped;
  return {
    ...mapped,
    widgets: mapped.widgets.map((widget, index) => ({
      ...widget,
      look: { ...widget.look, sourceFace: fonts.placeOf(widgets[index]?.defaultAppearance ?? null) },
    })),
  };
}
