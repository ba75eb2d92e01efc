import { z } from 'zod';
import { ToolFailure } from './tool-failure.ts';

/** Described to agents, but not checked here: the API reports a bad value with its row and column. */
const cell = z.unknown().meta({
  anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }, { type: 'null' }],
});
const row = z.record(z.string(), cell);
export type Row = z.output<typeof row>;

const VALUES = 'Keys are the names in the row schema.';

export const rowInput = row.describe(`One row. ${VALUES}`);
export const rowsInput = z.array(row).min(1).describe(`The rows, one document each. ${VALUES}`);

/** Rejects integers that have lost digits: JSON was parsed before the rows arrived here, with numbers as doubles. */
export function requireExactNumbers(rows: readonly Row[]): void {
  for (const [index, cells] of rows.entries())
    for (const [name, value] of Object.entries(cells))
      if (Number.isInteger(value) && !Number.isSafeInteger(value))
        throw new ToolFailure(
          'INVALID_ROWS_JSON',
          `Row ${index + 1}, ${JSON.stringify(name)}: integers beyond 2^53 lose digits in JSON. Send the number as text.`,
        );
}
