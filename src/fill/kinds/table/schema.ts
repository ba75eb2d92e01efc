import { z } from 'zod';
import { formatSchema, valueSchema } from '#fill/package/value-schema.ts';
import { colorSchema, placedMembers, typesetMembers } from '../overlay-members.ts';

const MAX_COLUMNS = 50;
const MAX_ROWS = 5000;

const tableColumnSchema = z
  .strictObject({
    header: z.string().max(1000).default(''),
    value: valueSchema.describe("The cell's text, read from each row"),
    width: z
      .number()
      .min(0.1)
      .max(20_000)
      .default(100)
      .describe("The column's share of the table's width, relative to the other columns"),
    align: typesetMembers.align,
    fit: z
      .enum(['wrap', 'shrink', 'clip'])
      .default('wrap')
      .describe('What happens to text wider than its cell: a higher row, smaller type, or cut at the edge'),
    format: formatSchema.optional(),
    total: z
      .enum(['sum', 'count'])
      .optional()
      .describe('The last row shows the sum of the column, or how many of its cells are not blank'),
  })
  .refine((column) => column.total !== 'sum' || 'column' in column.value, {
    path: ['total'],
    message: 'sum needs a value of the form {"column": …}',
  })
  .meta({ id: 'table_column' });

export const tableOverlaySchema = z
  .strictObject({
    ...placedMembers,
    type: z.literal('table'),
    value: z.never().optional().describe('A table has no value; its columns have'),
    font: typesetMembers.font,
    bold: typesetMembers.bold,
    italic: typesetMembers.italic,
    size: typesetMembers.size.default(10),
    min_size: typesetMembers.min_size,
    color: typesetMembers.color,
    line_height: typesetMembers.line_height,
    padding: typesetMembers.padding.default(3).describe('Free space inside each cell, in points'),
    valign: typesetMembers.valign.default('middle'),
    columns: z.array(tableColumnSchema).min(1).max(MAX_COLUMNS),
    row_height: z
      .number()
      .min(1)
      .max(2000)
      .optional()
      .describe('Least height of a row; by default one line of text'),
    header: z.boolean().default(true).describe('Draw the headers of the columns, on every page'),
    header_color: colorSchema.optional().describe('Text of the headers; by default color'),
    header_fill: colorSchema.optional().describe('Background of the headers'),
    stripe: colorSchema.optional().describe('Background of every second row'),
    lines: z.enum(['none', 'rows', 'grid']).default('rows'),
    line_color: colorSchema.default('#999999'),
    line_width: z.number().min(0.1).max(20).default(0.5),
    min_rows: z
      .int()
      .min(0)
      .max(MAX_ROWS)
      .default(0)
      .describe('Empty rows are added up to this number, as far as the page has room'),
    max_rows: z
      .int()
      .min(1)
      .max(MAX_ROWS)
      .optional()
      .describe('A document with more rows fails; by default as many as fit'),
    total_label: z.string().max(1000).default('').describe('Text of the first cell of the totals'),
    continue_on: z
      .int()
      .min(1)
      .max(100_000)
      .optional()
      .describe('The page that is repeated for rows that do not fit: this page or a later one'),
    continue_y: placedMembers.y.optional().describe('Top of the table on repeated pages; by default y'),
    continue_height: placedMembers.height
      .optional()
      .describe('Height of the table on repeated pages; by default height'),
  })
  .refine((table) => table.continue_on === undefined || table.continue_on >= table.page, {
    path: ['continue_on'],
    message: 'must be the page of the table or a later one',
  })
  .meta({ id: 'table_overlay' });

export type TableOverlay = z.infer<typeof tableOverlaySchema>;
export type TableColumn = TableOverlay['columns'][number];
