import type { RouteOptions } from 'fastify';
import type { z } from 'zod';
import type { JsonSchema } from '../dialects/dialect-spec.ts';
import type { Parameter } from './openapi-objects.ts';
import { inputSchema } from './zod-schemas.ts';

interface Schemas {
  readonly params?: unknown;
  readonly querystring?: unknown;
}
type Property = JsonSchema & {
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly required?: boolean;
};

/** The parameters of a route: path, query, then the headers of its `config`. */
export function describeParameters(
  { params, querystring }: Schemas,
  { documentedHeaders = {} }: NonNullable<RouteOptions['config']>,
  url: string,
): Parameter[] {
  const described = propertiesOf(params).properties;
  const query = propertiesOf(querystring);
  return [
    ...[...url.matchAll(/:(\w+)/g)].map(([, name = '']) =>
      parameter('path', name, described[name] ?? { type: 'string' }, true),
    ),
    ...Object.entries(query.properties).map(([name, schema]) =>
      parameter('query', name, schema, query.required.includes(name)),
    ),
    ...Object.entries(documentedHeaders as Record<string, Property>).map(([name, schema]) =>
      parameter('header', name, schema, schema.required === true),
    ),
  ];
}

function propertiesOf(schema: unknown): { properties: Record<string, Property>; required: string[] } {
  if (schema === undefined) return { properties: {}, required: [] };
  const { properties = {}, required = [] } = inputSchema(schema as z.ZodType) as {
    properties?: Record<string, Property>;
    required?: string[];
  };
  return { properties, required };
}

function parameter(place: Parameter['in'], name: string, schema: Property, isRequired: boolean): Parameter {
  const { description, examples, required: _, ...rest } = schema;
  return {
    name,
    in: place,
    required: isRequired,
    ...(description !== undefined && { description }),
    schema: rest,
    ...(examples?.[0] !== undefined && { example: examples[0] }),
  };
}
