import { z } from 'zod';
import { label, self, timestamp } from '../contract.ts';
import { FIELD_TYPES } from './field-value.ts';

export const customField = z.object({
  id: z.string(),
  label: z.string(),
  type: z.enum(FIELD_TYPES),
  settings: z.object({ options: z.array(z.string()) }),
  created_at: timestamp,
  updated_at: timestamp,
  self,
});

/** A label is a column name in exports; an import accepts column names of up to 200 characters. */
const MAX_LABEL_CHARS = 180;
/** `;` separates the options of a Multi Select in a CSV cell. */
const option = label(200).refine((text) => !text.includes(';'), 'must not contain a semicolon');
const settings = z.object({ options: z.array(option).max(500).optional() });
export const body = z.object({
  label: label(MAX_LABEL_CHARS),
  type: z.enum(FIELD_TYPES),
  settings: settings.optional(),
});
export const params = z.object({ custom_field_id: z.string() });
