import { z } from 'zod';
import { FORM_FIELD_TYPES, OPTION_CAPS } from './form-field-types.ts';

/**
 * What a package stores about the PDF it was made for. Filling compares it with the submitted PDF and reports differences as
 * warnings (compare-source.ts). It never moves a placement.
 *
 * `box` is the page's visible box (CropBox inside MediaBox, ISO 32000-2 §14.11.2) in default user space, before
 * rotation; `user_unit` scales it to points (§7.7.3.3). The displayed size follows from the three.
 */

const coordinate = z.number().min(-1e7).max(1e7);

const sourcePageSchema = z.strictObject({
  box: z.tuple([coordinate, coordinate, coordinate, coordinate]).describe('[left, bottom, right, top]'),
  rotation: z.literal([0, 90, 180, 270]).default(0),
  user_unit: z.number().positive().max(75_000).default(1),
});

const sourceFormFieldSchema = z.strictObject({
  name: z.string().min(1).max(1000),
  type: z.enum(FORM_FIELD_TYPES),
  options: z
    .array(
      z.strictObject({
        value: z.string().max(OPTION_CAPS.characters),
        label: z.string().max(OPTION_CAPS.characters),
      }),
    )
    .max(OPTION_CAPS.options)
    .optional()
    .describe('Export values and labels of radio groups, checkboxes, dropdowns and list boxes'),
  max_length: z.int().min(0).max(1_000_000).optional(),
});

export const sourceMetadataSchema = z.strictObject({
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  page_count: z.int().min(1).max(100_000),
  pages: z.array(sourcePageSchema).max(100_000),
  form_fields: z.array(sourceFormFieldSchema).max(20_000).default([]),
  signed: z.boolean().default(false).describe('The PDF carried a digital signature'),
  xfa: z.boolean().default(false).describe('The PDF carried an XFA form, which is ignored'),
});

export type SourcePage = z.infer<typeof sourcePageSchema>;
export type SourceFormField = z.infer<typeof sourceFormFieldSchema>;
export type SourceMetadata = z.infer<typeof sourceMetadataSchema>;
