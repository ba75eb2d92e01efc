import type { SwaggerTransform } from '@fastify/swagger';
import type { FastifySchema, RouteOptions } from 'fastify';
import { z } from 'zod';
import type { DialectSpec, JsonSchema } from '../dialects/dialect-spec.ts';
import type { Dialects } from '../dialects/dialects.ts';
import { describeParameters } from './describe-parameters.ts';
import { errorReference, faultReference, fullResponse, routeErrors } from './error-responses.ts';
import { mediaType } from './media-type.ts';
import type { Operation, ResponseObject } from './openapi-objects.ts';
import { descriptionOf, required } from './zod-schemas.ts';

type RouteSchema = FastifySchema & {
  readonly hide?: boolean;
  readonly operationId?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly body?: z.ZodType;
  readonly response?: Readonly<Record<string, z.ZodType>>;
};
type RouteConfig = NonNullable<RouteOptions['config']>;

/** The member that carries the operation through @fastify/swagger, which would drop examples and references. */
export const OPERATION = 'x-operation';

/** Describes one route: its schemas, what they cannot express (forms, streams, headers) from its `config`, and its errors. */
export const describeRoute =
  (dialects: Dialects): SwaggerTransform =>
  ({ schema = {}, url, route }) => {
    const { config = {}, bodyLimit } = route as RouteOptions;
    const described = schema as RouteSchema;
    if (described.hide === true) return { schema: { hide: true }, url };
    const dialect = dialects.choose(url);
    const requestBody = describeBody(described, config);
    const operation: Operation = {
      ...(described.operationId !== undefined && { operationId: described.operationId }),
      ...(described.summary !== undefined && { summary: described.summary }),
      ...(described.description !== undefined && { description: described.description }),
      tags: [...(described.tags ?? [])],
      security: config.public === true ? [] : (config.security ?? [{ bearer: config.scopes ?? [] }]),
      parameters: describeParameters(described, config, url),
      ...(requestBody !== undefined && { 'x-max-body-bytes': bodyLimit, requestBody }),
      responses: describeResponses(dialect, described, config, url, requestBody !== undefined),
    };
    return { schema: { [OPERATION]: operation } as FastifySchema, url };
  };

function describeBody({ body }: RouteSchema, { documentedBody }: RouteConfig): Operation['requestBody'] {
  if (documentedBody !== undefined) {
    const content = Object.entries(documentedBody).map(([type, schema]) => [
      type,
      mediaType(schema, 'input'),
    ]);
    return { required: true, content: Object.fromEntries(content) };
  }
  if (body === undefined) return undefined;
  const isRequired = !body.safeParse(undefined).success;
  return { required: isRequired, content: { 'application/json': mediaType(required(body), 'input') } };
}

function describeResponses(
  dialect: DialectSpec,
  schema: RouteSchema,
  config: RouteConfig,
  url: string,
  hasBody: boolean,
): Record<string, ResponseObject | object> {
  const responses: Record<string, ResponseObject | object> = {};
  const own = { ...schema.response, ...config.documentedResponses };
  for (const [status, response] of Object.entries(own))
    responses[status] = {
      description: config.documentedStatuses?.[status] ?? descriptionOfResponse(response),
      headers: { ...dialect.identityHeaders, ...config.documentedResponseHeaders?.[status] },
      ...contentOf(response, config.documentedExamples?.[status]),
    };
  const errors = routeErrors(dialect, config.errors ?? [], {
    statuses: Object.keys(own).map(Number),
    needsKey: config.public !== true,
    hasParams: url.includes(':'),
    hasInput: hasBody || schema.querystring !== undefined,
    hasBody,
  });
  for (const [status, codes] of errors) {
    const before = responses[status] as ResponseObject | undefined;
    const headers = config.documentedResponseHeaders?.[status];
    const full = fullResponse(dialect, status, codes);
    if (before !== undefined) responses[status] = withError(before, full);
    else if (headers === undefined) responses[status] = errorReference(dialect, status, codes);
    else responses[status] = { ...full, headers: { ...full.headers, ...headers } };
  }
  return { ...responses, default: faultReference(dialect) };
}

function descriptionOfResponse(response: z.ZodType | object): string {
  const description =
    response instanceof z.ZodType
      ? descriptionOf(response)
      : (response as { description?: string }).description;
  return description ?? 'Success';
}

function contentOf(response: z.ZodType | object, example: unknown): Pick<ResponseObject, 'content'> {
  if (response instanceof z.ZodUndefined) return {};
  if (response instanceof z.ZodType)
    return {
      content: {
        'application/json': { ...mediaType(response, 'output'), ...(example !== undefined && { example }) },
      },
    };
  const { content } = response as { content?: Readonly<Record<string, z.ZodType | JsonSchema>> };
  if (content === undefined) return {};
  const types = Object.entries(content).map(([type, schema]) => [type, mediaType(schema, 'output')]);
  return { content: Object.fromEntries(types) };
}

/** Merges an error with a response of the route that has the same status (a failed job is 500; an error can be a page). */
function withError(response: ResponseObject, error: ReturnType<typeof fullResponse>): ResponseObject {
  const content: Record<string, object> = { ...response.content };
  for (const [type, media] of Object.entries(error.content)) {
    const [before, after] = [content[type], media] as { schema: JsonSchema; example: unknown }[];
    content[type] =
      before === undefined
        ? media
        : {
            schema: { anyOf: [before.schema, after?.schema] },
            examples: { response: { value: before.example }, error: { value: after?.example } },
          };
  }
  return {
    description: `${response.description}\n\n${error.description}`,
    headers: { ...response.headers, ...error.headers },
    content,
  };
}
