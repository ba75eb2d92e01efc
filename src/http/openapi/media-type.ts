import { z } from 'zod';
import type { JsonSchema } from '../dialects/dialect-spec.ts';
import type { MediaType } from './openapi-objects.ts';
import { exampleOf, inputSchema, outputSchema } from './zod-schemas.ts';

/** A body of one media type. Its example is the first of the schema's `examples`. */
export function mediaType(schema: z.ZodType | object, io: 'input' | 'output'): MediaType {
  if (schema instanceof z.ZodType) {
    const example = exampleOf(schema);
    // The description of a whole body is that of its response.
    const {
      examples: _,
      description: __,
      ...json
    } = io === 'input' ? inputSchema(schema) : outputSchema(schema);
    return { schema: json, ...(example !== undefined && { example }) };
  }
  const { examples, ...json } = schema as JsonSchema & { readonly examples?: readonly unknown[] };
  return { schema: json, ...(examples !== undefined && { example: examples[0] }) };
}
