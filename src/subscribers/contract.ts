import { z } from 'zod';
import { descriptionOf, exampleOf } from '#http/openapi/zod-schemas.ts';

/** Shapes that every resource of this surface shares. Wire names are snake_case. */
export const timestamp = z.iso
  .datetime({ precision: 3 })
  .meta({ description: 'ISO 8601, UTC, milliseconds' });
export const self = z.string().meta({ description: 'Relative path of this resource' });

export const itemOf = <T extends z.ZodType>(item: T) =>
  z
    .object({ data: item })
    .meta({ description: descriptionOf(item) ?? '', examples: [{ data: exampleOf(item) }] });

const pagination = z
  .object({
    has_more: z.boolean(),
    next_cursor: z.string().nullable().describe('`starting_after` of the next page; null on the last page'),
  })
  .meta({ id: 'Pagination' });

export const listOf = <T extends z.ZodType>(item: T) =>
  z.object({ data: z.array(item), pagination }).meta({
    description: 'One page, newest first',
    examples: [{ data: [exampleOf(item)], pagination: { has_more: false, next_cursor: null } }],
  });

export const pageQuery = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(25).describe('Largest number of results'),
  starting_after: z
    .string()
    .max(500)
    .optional()
    .meta({ description: 'The next_cursor of the previous page' }),
});

/** One line of text that is not blank and not too long. Control characters would break headers and files. */
export const label = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
    .regex(/^[^\u0000-\u001f\u007f]*$/, 'must not contain control characters')
    .overwrite((text) => text.toWellFormed());

/** Free text; PostgreSQL cannot store NUL. */
export const freeText = (max: number) =>
  z
    .string()
    .max(max)
    .refine((text) => !text.includes('\0'), 'must not contain NUL characters')
    .transform((text) => text.toWellFormed());
