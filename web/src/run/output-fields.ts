import { readSheetChoice } from '../core/runs/sheet-choice.ts';
import { isDuplex, type RunChoices, sheetOf } from './run-choices.ts';

/** The request fields for the output and the groups, without those that have their default. A sheet that cannot be used is left out. */
export function outputFields(choices: RunChoices): readonly (readonly [name: string, value: string])[] {
  const { output, passwordColumn, groupBy } = choices;
  const fields: [string, string][] = [];
  if (output !== 'zip') fields.push(['output', output]);
  const chosen = sheetOf(choices);
  const sheet = chosen === null ? null : readSheetChoice(chosen).sheet;
  if (chosen !== null && sheet !== null) {
    const { skip, order, marks, ...geometry } = sheet;
    const further = {
      ...(skip > 0 && { skip }),
      ...(order !== 'across' && { order }),
      ...(marks && { marks }),
    };
    const size = chosen.preset === null ? geometry : { preset: chosen.preset };
    fields.push(['sheet', JSON.stringify({ ...size, ...further })]);
  }
  if (isDuplex(choices)) fields.push(['duplex', 'true']);
  if (passwordColumn !== null) fields.push(['password_column', passwordColumn]);
  if (groupBy.length > 0) fields.push(['group_by', JSON.stringify(groupBy)]);
  return fields;
}
