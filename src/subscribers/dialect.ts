import { z } from 'zod';
import { type DialectSpec, onlyValue } from '#http/dialects/dialect-spec.ts';
import { type SubscribersCode, subscribersErrors } from './errors.ts';

/** Text that is safe to echo into a header. */
const REQUEST_ID = /^[\x21-\x7e]{1,200}$/;

const TYPE_BY_STATUS: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found',
  409: 'conflict',
  429: 'api_error',
};

const scopeList = z.array(z.string()).optional();
const errorSchema = z
  .object({
    error: z.object({
      type: z
        .enum([...new Set(Object.values(TYPE_BY_STATUS)), 'invalid_request'])
        .describe('Class of the error; the status determines it'),
      code: z.enum(Object.keys(subscribersErrors.codes) as SubscribersCode[]).meta({
        id: 'SubscribersErrorCode',
        description: 'What went wrong. The responses list the codes of each status.',
      }),
      message: z.string().describe('What went wrong and what to do, for people'),
      details: z
        .object({
          field: z.string().optional().describe('The invalid member, or the one whose value is taken'),
          reason: z.string().optional(),
          resource: z
            .object({ type: z.string(), id: z.string() })
            .optional()
            .describe('Only with 409: the resource that is in use or already exists'),
        })
        .optional(),
      required_scopes: scopeList.describe('Only with insufficient_scope: all scopes that the route requires'),
      missing_scopes: scopeList.describe('Only with insufficient_scope: the scopes that the key lacks'),
    }),
  })
  .meta({ id: 'SubscribersError', description: 'An error of Subscribers' });

/** Subscribers errors are members of `error`; the status determines their type. */
export const subscribersDialect: DialectSpec = {
  title: 'Subscribers',
  prefix: '/v1',
  errors: subscribersErrors,
  documented: true,
  identify(request, ids) {
    const given = onlyValue(request, 'x-mailrith-request-id');
    const id = given !== undefined && REQUEST_ID.test(given) ? given : `req_${ids.randomUuid()}`;
    return { id, headers: { 'x-mailrith-request-id': id } };
  },
  render(error) {
    const { status } = error.entry;
    const type = TYPE_BY_STATUS[status] ?? (status >= 500 ? 'api_error' : 'invalid_request');
    return {
      contentType: 'application/json; charset=utf-8',
      body: { error: { type, code: error.code, message: error.message, ...error.extra.members } },
    };
  },
  pointAt: (field, reason) => ({ details: { field, reason } }),
  identityHeaders: {
    'X-Mailrith-Request-Id': {
      required: true,
      description:
        'Id of this request: the valid `X-Mailrith-Request-Id` of the caller, otherwise a new one. Quote it in a report.',
      schema: { type: 'string' },
      example: 'req_4d0c1a52-6c0e-4f0a-9a53-0f3f0f4f7a11',
    },
  },
  envelope: { mediaType: 'application/json', schema: errorSchema },
};
