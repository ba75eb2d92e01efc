import type { SwaggerTransform } from '@fastify/swagger';
import type { FastifySchema, RouteOptions } from 'fastify';
import { jsonSchemaTransform } from 'fastify-type-provider-zod';
import type { JsonSchema } from '../dialects/dialect-spec.ts';
import type { Dialects } from '../dialects/dialects.ts';
import { errorResponses, type RouteTraits } from './error-responses.ts';

type DescribedSchema = FastifySchema & Record<string, unknown> & { response?: Record<string, JsonSchema> };

/**
 * Describes one route for the document: its schemas, what they cannot express (forms, streams, headers) from its `config`, and its
 * errors from the catalogue.
 */
export const describeRoute =
  (dialects: Dialects): SwaggerTransform =>
  (document) => {
    const { schema, url } = jsonSchemaTransform(document as Parameters<typeof jsonSchemaTransform>[0]);
    const { route } = document as { route: RouteOptions };
    const described = { ...schema } as DescribedSchema;
    if (described.hide === true) return { schema: described, url };
    const { config = {} } = route;
    if (config.documentedBody !== undefined) {
      const content = Object.entries(config.documentedBody).map(([type, body]) => [type, { schema: body }]);
      described.body = { content: Object.fromEntries(content) };
    }
    if (config.documentedHeaders !== undefined) described.headers = headersSchema(config.documentedHeaders);
    if (described.body !== undefined) described['x-max-body-bytes'] = route.bodyLimit;
    if (config.public !== true) described.security = [{ bearer: config.scopes ?? [] }];
    const answers = { ...described.response, ...config.documentedResponses } as Record<string, JsonSchema>;
    const errors = errorResponses(
      dialects.choose(url),
      config.errors ?? [],
      traitsOf(described, url, config.public),
    );
    for (const [status, error] of Object.entries(errors))
      answers[status] = withError(answers[status], error as unknown as JsonSchema);
    described.response = answers;
    return { schema: described, url };
  };

/** Moves `required: true` from each header to the list of the object, as JSON Schema needs it. */
function headersSchema(headers: Readonly<Record<string, object>>): JsonSchema {
  const entries = Object.entries(headers as Record<string, { required?: boolean }>);
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, { required: _, ...schema }]) => [name, schema])),
    required: entries.filter(([, { required }]) => required === true).map(([name]) => name),
  };
}

function traitsOf(schema: DescribedSchema, url: string, isPublic: boolean | undefined): RouteTraits {
  return {
    needsKey: isPublic !== true,
    hasParams: url.includes(':'),
    hasInput: schema.body !== undefined || schema.querystring !== undefined,
    hasBody: schema.body !== undefined,
  };
}

/** Merges an error with a response of the route that has the same status (a failed job is 500; an error can be a page). */
function withError(answer: JsonSchema | undefined, error: JsonSchema): JsonSchema {
  if (answer === undefined) return error;
  if (answer.content !== undefined)
    return { ...error, content: { ...(answer.content as object), ...(error.content as object) } };
  const [mediaType, { schema }] = Object.entries(
    error.content as Record<string, { schema: JsonSchema }>,
  )[0] ?? ['application/json', { schema: {} }];
  const both = { anyOf: [answer, schema] };
  return { description: String(error.description), content: { [mediaType]: { schema: both } } };
}
