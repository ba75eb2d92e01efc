import { z } from 'zod';
import { label, self, timestamp } from '../contract.ts';
import { FIELD_TYPES } from './field-value.ts';

const ID = '0190a3c4-0000-7000-8000-0000000000cf';
const fieldType = z.enum(FIELD_TYPES).meta({ id: 'CustomFieldType' });
export const customField = z
  .object({
    id: z.string(),
    label: z.string(),
    type: fieldType,
    settings: z.object({ options: z.array(z.string()) }),
    created_at: timestamp,
    updated_at: timestamp,
    self,
  })
  .meta({
    id: 'CustomField',
    description: 'A custom field',
    examples: [
      {
        id: ID,
        label: 'Size',
        type: 'Single Select',
        settings: { options: ['S', 'M', 'L'] },
        created_at: '2026-11-17T09:15:00.000Z',
        updated_at: '2026-11-17T09:15:00.000Z',
        self: `/v1/custom-fields/${ID}`,
      },
    ],
  });

/** A label is a column name in exports; an import accepts column names of up to 200 characters. */
const MAX_LABEL_CHARS = 180;
/** `;` separates the options of a Multi Select in a CSV cell. */
const option = label(200).refine((text) => !text.includes(';'), 'must not contain a semicolon');
const settings = z
  .object({ options: z.array(option).max(500).optional() })
  .describe('The options of a select field');
const body = z.object({ label: label(MAX_LABEL_CHARS), type: fieldType, settings: settings.optional() });
export const createBody = body.meta({
  id: 'CreateCustomField',
  examples: [{ label: 'Size', type: 'Single Select', settings: { options: ['S', 'M', 'L'] } }],
});
export const updateBody = body
  .partial()
  .meta({ id: 'UpdateCustomField', examples: [{ label: 'Shirt size' }] });
export const params = z.object({
  custom_field_id: z.string().meta({ description: 'Id of the custom field', examples: [ID] }),
});
