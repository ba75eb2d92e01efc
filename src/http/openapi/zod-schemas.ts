import { createJsonSchemaTransform, createJsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { JsonSchema } from '../dialects/dialect-spec.ts';

/** JSON Schema of Zod schemas for the document. A schema with an id (`.meta({ id })`) becomes a reference to a component. */
type Override = NonNullable<NonNullable<Parameters<typeof z.toJSONSchema>[1]>['override']>;

const override: Override = ({ zodSchema, jsonSchema }) => {
  const { def } = zodSchema._zod;
  // A later version may add members to responses (VERSIONING.md), so a client must not reject unknown ones.
  if (def.type === 'object' && !('catchall' in def && def.catchall)) delete jsonSchema.additionalProperties;
  if (def.type === 'undefined') jsonSchema.type = 'null';
};

const options = { zodToJsonConfig: { override } };
const transform = createJsonSchemaTransform(options);
const transformObject = createJsonSchemaTransformObject(options);
const openapiObject = { openapi: '3.1.0', info: { title: '', version: '' }, paths: {} };

function convert(schema: object): { body?: JsonSchema; response?: Record<string, JsonSchema> } {
  const document = { schema, url: '/', route: {}, openapiObject } as unknown as Parameters<
    typeof transform
  >[0];
  return transform(document).schema as ReturnType<typeof convert>;
}

/** The schema of values that a client sends. */
export function inputSchema(schema: z.ZodType): JsonSchema {
  return convert({ body: schema }).body ?? {};
}

/** The schema of values that the server sends. */
export function outputSchema(schema: z.ZodType): JsonSchema {
  return convert({ response: { 200: schema } }).response?.[200] ?? {};
}

/** Every schema with an id: `Name` for values that the server sends, `NameInput` for values that it receives. */
export function namedSchemas(): Readonly<Record<string, JsonSchema>> {
  const { components } = transformObject({ openapiObject }) as {
    components: { schemas: Record<string, JsonSchema> };
  };
  return components.schemas;
}

/** The first example of a schema, and its description. They are stored with the schema (`.meta({ examples })`). */
export function exampleOf(schema: z.ZodType): unknown {
  const { examples } = (z.globalRegistry.get(schema) ?? {}) as { examples?: readonly unknown[] };
  return examples?.[0];
}

export function descriptionOf(schema: z.ZodType): string | undefined {
  return z.globalRegistry.get(schema)?.description;
}

/** The schema without `.optional()` and `.nullable()` around it. */
export function required(schema: z.ZodType): z.ZodType {
  const { def } = schema as unknown as { def: { type: string; innerType?: z.ZodType } };
  const isWrapper = def.type === 'optional' || def.type === 'nullable';
  return isWrapper && def.innerType !== undefined ? required(def.innerType) : schema;
}
