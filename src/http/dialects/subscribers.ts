import { type DialectSpec, onlyValue } from './dialect-spec.ts';

/** What may be echoed into a header without harm. */
const REQUEST_ID = /^[\x21-\x7e]{1,200}$/;

const TYPE_BY_STATUS: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found',
  409: 'conflict',
  429: 'api_error',
};

/** Errors stand under `error`, with a type that follows from the status. */
export const subscribers: DialectSpec = {
  name: 'subscribers',
  prefix: '/v1',
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
};
