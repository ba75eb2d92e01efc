import { z } from 'zod';
import { DATE_LANGUAGES } from '../format/date-names.ts';
import { parseDatePattern } from '../format/date-pattern.ts';
import { parseNumberPattern } from '../format/number-pattern.ts';
import { parseTemplate } from './template.ts';

/**
 * Where an overlay's or a form field's text comes from, how it is formatted and when it is shown.
 * Columns are positional (`column_0` is the first); a reference need not be declared under `columns`.
 */
const COLUMN_KEY = /^column_(0|[1-9][0-9]{0,3})$/;
const MAX_VALUE_CHARS = 10_000;

export const columnKeySchema = z.string().regex(COLUMN_KEY, 'must be column_0, column_1, …');

export const valueSchema = z
  .union(
    [
      z.strictObject({ static: z.string().max(MAX_VALUE_CHARS).describe('The same text in every row') }),
      z.strictObject({ column: columnKeySchema.describe("That column's text in each row") }),
      z.strictObject({
        template: z
          .string()
          .max(MAX_VALUE_CHARS)
          .refine((text) => parseTemplate(text).ok, 'has a placeholder other than {{column_N}}')
          .describe('Text with placeholders: "Dear {{column_0}}"'),
      }),
    ],
    { error: 'must be {"static": …}, {"column": …} or {"template": …}' },
  )
  .meta({ id: 'value' });

const numberPattern = z
  .string()
  .min(1)
  .max(100)
  .refine((pattern) => parseNumberPattern(pattern).ok, 'is not a number pattern');
export const datePatternSchema = z
  .string()
  .min(1)
  .max(100)
  .refine((pattern) => parseDatePattern(pattern).ok, 'is not a date pattern');

const numberFormatSchema = z.strictObject({
  number: numberPattern.describe('For example "#,##0.00": grouping, least and most digits'),
  decimal: z.enum(['.', ',', '\u066b']).default('.').describe('Decimal mark in the output'),
  group: z
    .enum([',', '.', ' ', "'", '\u2019', '\u00a0', '\u202f', ''])
    .default(',')
    .describe('Group mark in the output'),
  input_decimal: z
    .enum(['.', ','])
    .optional()
    .describe('Decimal sign of the values; left out, it is the one that all values of the column fit'),
});
const dateFormatSchema = z.strictObject({
  date: datePatternSchema.describe('For example "DD.MM.YYYY" or "D MMMM YYYY"'),
  input: datePatternSchema.optional().describe('How the value is written when it is not an ISO 8601 date'),
  language: z
    .enum(DATE_LANGUAGES)
    .optional()
    .describe('Of the names of months and days in the output; English when left out'),
});
export const formatSchema = z
  .union([numberFormatSchema, dateFormatSchema], {
    error: 'must be {"number": …} or {"date": …} with a valid pattern',
  })
  .meta({ id: 'format' });

const comparand = z.string().max(MAX_VALUE_CHARS);

/** One condition on one column. It compares the trimmed text, case-sensitively. */
const conditionSchema = z
  .strictObject({
    column: columnKeySchema,
    equals: comparand.optional(),
    not_equals: comparand.optional(),
    in: z.array(comparand).min(1).max(100).optional(),
    not_in: z.array(comparand).min(1).max(100).optional(),
    blank: z.boolean().optional(),
  })
  .refine(
    (test) =>
      [test.equals, test.not_equals, test.in, test.not_in, test.blank].filter((t) => t !== undefined)
        .length === 1,
    'needs exactly one of equals, not_equals, in, not_in, blank',
  )
  .meta({ id: 'condition' });
export const showIfSchema = z
  .union(
    [
      conditionSchema,
      z.strictObject({ all: z.array(conditionSchema).min(1).max(20) }),
      z.strictObject({ any: z.array(conditionSchema).min(1).max(20) }),
    ],
    {
      error: 'must be a condition {"column": …, "equals": …}, or {"all": […]} or {"any": […]} of conditions',
    },
  )
  .meta({ id: 'show_if' });

export type ValueSource = z.infer<typeof valueSchema>;
export type NumberFormat = z.infer<typeof numberFormatSchema>;
export type DateFormat = z.infer<typeof dateFormatSchema>;
export type ValueFormat = z.infer<typeof formatSchema>;
export type Condition = z.infer<typeof conditionSchema>;
export type ShowIf = z.infer<typeof showIfSchema>;
