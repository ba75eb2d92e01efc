import { inspectInChild } from '../fill/node/prepare-in-child.ts';
import { LAYOUT_CAPS, type LayoutInput, type SourceMetadata } from '../fill/package/layout-schema.ts';
import { refuse, tell } from './answer.ts';
import { readInput, writeOutput } from './files.ts';
import { spareInputs } from './spare-inputs.ts';

const FILLABLE = new Set(['text', 'checkbox', 'radio', 'dropdown']);

/** `layout from-form`: a layout that maps each fillable AcroForm field to a column of its own, in the form's order. */
export async function layoutFromForm(path: string, output: string, json: boolean): Promise<void> {
  const overwriting = await spareInputs([path], [output]);
  if (overwriting !== null) return refuse(overwriting, json);
  const pdf = await readInput(path);
  if (!pdf.ok) return refuse(pdf, json);
  const source = await inspectInChild(pdf.bytes);
  if (!source.ok) return refuse(source, json);
  const layout = proposeLayout(source.metadata);
  if (layout.form_fields?.length === 0) tell('warning: the PDF has no form field that can be filled');
  const text = `${JSON.stringify(layout, null, 2)}\n`;
  const unwritten = await writeOutput(output, new TextEncoder().encode(text));
  if (unwritten !== null) refuse(unwritten, json);
}

function proposeLayout(source: SourceMetadata): LayoutInput {
  const fields = source.form_fields.filter((field) => FILLABLE.has(field.type)).slice(0, LAYOUT_CAPS.columns);
  return {
    format: 'rowpress.layout',
    version: 1,
    columns: fields.map((field, index) => ({ key: `column_${index}`, label: field.name.slice(0, 200) })),
    overlays: [],
    form_fields: fields.map((field, index) => ({
      id: `field_${index}`,
      field: field.name,
      value: { column: `column_${index}` },
    })),
  };
}
