import { z } from 'zod';
import { SHEET_PRESETS } from '#fill/sheet/presets.ts';

const points = (description: string) => z.number().describe(`${description}, in points`);

const presetSchema = z
  .object({
    preset: z.string().describe('The name, for `sheet` of a create request'),
    paper: z.enum(['A4', 'Letter']),
    width: points('Width of the sheet'),
    height: points('Height of the sheet'),
    columns: z.int(),
    rows: z.int(),
    margin_left: points('From the left edge of the sheet to the first label'),
    margin_top: points('From the top edge of the sheet to the first label'),
    pitch_x: points('From one label to the next one in its row'),
    pitch_y: points('From one label to the next one in its column'),
    label_width: points('Width of a label'),
    label_height: points('Height of a label'),
  })
  .meta({ id: 'SheetPreset', description: 'A sheet of labels with a name' });

const data = SHEET_PRESETS.map(({ preset, paper, geometry }) => ({ preset, paper, ...geometry }));

export const sheetListSchema = z.object({ data: z.array(presetSchema) }).meta({
  id: 'SheetPresetList',
  description: 'All sheets with a name',
  examples: [{ data: data.slice(0, 1) }],
});

/** GET …/sheets: the presets with their geometry. */
export function sheetPresets(): z.output<typeof sheetListSchema> {
  return { data };
}
