import { z } from 'zod';
import { datePatternSchema } from './value-schema.ts';

/** How the values of a column are written, for number and date formats that do not say so themselves. */
export const columnInputSchema = z
  .discriminatedUnion(
    'type',
    [
      z.strictObject({ type: z.literal('text').describe('No format is applied to the values') }),
      z.strictObject({
        type: z.literal('number'),
        decimal: z.enum(['.', ',']).describe('Decimal sign of the values'),
      }),
      z.strictObject({
        type: z.literal('date'),
        pattern: datePatternSchema.describe('How dates are written when they are not ISO 8601'),
      }),
    ],
    { error: 'must be {"type": "text"}, {"type": "number", "decimal": …} or {"type": "date", "pattern": …}' },
  )
  .meta({ id: 'column_input' });

export type ColumnInput = z.infer<typeof columnInputSchema>;
