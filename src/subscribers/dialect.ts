import { type DialectSpec, objectSchema, onlyValue } from '#http/dialects/dialect-spec.ts';
import { subscribersErrors } from './errors.ts';

/** Text that is safe to echo into a header. */
const REQUEST_ID = /^[\x21-\x7e]{1,200}$/;

const TYPE_BY_STATUS: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found',
  409: 'conflict',
  429: 'api_error',
};

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
  envelope(codes) {
    const text = { type: 'string' };
    const texts = { type: 'array', items: text };
    const members = {
      type: text,
      code: { type: 'string', enum: codes },
      message: text,
      details: objectSchema({ field: text, reason: text }, []),
      ...(codes.includes('insufficient_scope') && { required_scopes: texts, missing_scopes: texts }),
    };
    const error = objectSchema(members, ['type', 'code', 'message']);
    return { mediaType: 'application/json', schema: objectSchema({ error }, ['error']) };
  },
};
