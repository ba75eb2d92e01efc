import { type DialectSpec, onlyValue } from './dialect-spec.ts';

const REQUEST_ID = /^[A-Za-z0-9._:-]{1,128}$/;

/** Everything under `error`, with the request's name inside: what an operator reads out to somebody else. */
export const operatorConsole: DialectSpec = {
  name: 'console',
  prefix: '/operator/v1',
  identify(request, ids) {
    const given = onlyValue(request, 'x-request-id');
    const id = given !== undefined && REQUEST_ID.test(given) ? given : `op-${ids.randomUuid()}`;
    return { id, headers: { 'x-request-id': id } };
  },
  render(error, { requestId }) {
    const { code, message } = error;
    return {
      contentType: 'application/json; charset=utf-8',
      body: { error: { code, message, ...error.extra.members, request_id: requestId } },
    };
  },
  pointAt: (field, reason) => ({ field, details: [{ path: field, message: reason }] }),
};
