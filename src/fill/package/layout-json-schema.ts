import { z } from 'zod';
import { layoutSchema } from './layout-schema.ts';

/** The published JSON Schema (2020-12) of a layout: docs/schemas/layout.json, `/schemas/layout.json`, `rowpress layout schema`. */
export function layoutJsonSchema(): Record<string, unknown> {
  const { $schema, ...schema } = z.toJSONSchema(layoutSchema, {
    io: 'input',
    reused: 'inline',
    target: 'draft-2020-12',
  });
  return {
    $schema,
    title: 'Rowpress layout',
    description:
      'Placements and mappings for filling a PDF with rows. Lengths are points; the origin is the top-left corner of the page as displayed; pages count from 1.',
    ...schema,
  };
}

export function layoutJsonSchemaText(): string {
  return `${JSON.stringify(layoutJsonSchema(), null, 2)}\n`;
}
