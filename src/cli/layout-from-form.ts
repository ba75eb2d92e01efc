import { inspectInChild } from '#fill/node/prepare-in-child.ts';
import { LAYOUT_CAPS } from '#fill/package/layout-caps.ts';
import { type FormLayout, layoutOfForm } from '#fill/package/layout-of-form.ts';
import type { LayoutInput } from '#fill/package/layout-schema.ts';
import { printJson, printLines, refuse, tell } from './answer.ts';
import { readInput, writeOutput } from './files.ts';
import { choicesOf } from './form-choices.ts';
import { spareInputs } from './spare-inputs.ts';

/** `layout from-form`: creates a layout that maps each fillable AcroForm field to its own column, in form order. */
export async function layoutFromForm(
  path: string,
  output: string,
  json: boolean,
  maxColumns: number,
): Promise<void> {
  const overwriting = await spareInputs([path], [output]);
  if (overwriting !== null) return refuse(overwriting, json);
  const pdf = await readInput(path);
  if (!pdf.ok) return refuse(pdf, json);
  const source = await inspectInChild(pdf.bytes);
  if (!source.ok) return refuse(source, json);
  const limit = Math.min(maxColumns, LAYOUT_CAPS.columns);
  const form = layoutOfForm(source.metadata, limit);
  const { columns, form_fields } = form;
  if (form_fields.length === 0) tell('warning: the PDF has no fillable form field');
  for (const line of leftOutLines(form, limit)) tell(`warning: ${line}`);
  const layout: LayoutInput = { format: 'rowpress.layout', version: 1, columns, overlays: [], form_fields };
  const text = `${JSON.stringify(layout, null, 2)}\n`;
  const unwritten = await writeOutput(output, new TextEncoder().encode(text));
  if (unwritten !== null) return refuse(unwritten, json);

  const choices = choiceLines(form);
  // The layout itself went to standard output, so the choices go to standard error.
  if (output === '-') for (const line of choices) tell(line);
  else if (json) printJson(report(form, output));
  else printLines([`wrote ${output}: ${form_fields.length} form fields`, ...choices]);
}

function report({ columns, form_fields, mapped, leftOut }: FormLayout, output: string): object {
  return {
    layout: output,
    form_field_count: form_fields.length,
    fields: mapped.map(({ name, type, options }, index) => ({
      column: columns[index]?.key,
      field: name,
      type,
      ...(options === undefined ? {} : { options }),
    })),
    left_out: leftOut,
  };
}

/** Lists the choices of each field. A field with a single box needs no line: it takes yes or no. */
function choiceLines({ columns, mapped }: FormLayout): string[] {
  return mapped.flatMap((field, index) =>
    (field.options?.length ?? 0) < 2
      ? []
      : [`${columns[index]?.key}  ${field.name}  ${field.type}: ${choicesOf(field)}`],
  );
}

function leftOutLines({ leftOut }: FormLayout, limit: number): string[] {
  const names = (reason: 'columns' | 'type') =>
    leftOut.filter((field) => field.reason === reason).map(({ field }) => field);
  const [beyond, unfillable] = [names('columns'), names('type')];
  return [
    ...(beyond.length === 0
      ? []
      : [
          `${beyond.length} form fields were omitted, because a row has at most ${limit} columns (ROWPRESS_MAX_COLUMNS): ${beyond.join(', ')}`,
        ]),
    ...(unfillable.length === 0
      ? []
      : [
          `${unfillable.length} form fields were omitted, because rows cannot fill them: ${unfillable.join(', ')}`,
        ]),
  ];
}
