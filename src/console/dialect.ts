import { z } from 'zod';
import { type DialectSpec, onlyValue } from '#http/dialects/dialect-spec.ts';
import { consoleErrors } from './errors.ts';

const REQUEST_ID = /^[A-Za-z0-9._:-]{1,128}$/;

/** Errors are members of `error`, with the request id, which an operator can quote. */
export const consoleDialect: DialectSpec = {
  title: 'Operator API',
  prefix: '/operator/v1',
  errors: consoleErrors,
  documented: false,
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
  // Not in the public document, so nothing describes them further.
  identityHeaders: {},
  envelope: { mediaType: 'application/json', schema: z.object({ error: z.looseObject({}) }) },
};

/** Below it, an operator acts for an account on the routes of a surface, in the dialect of that surface. */
export const ACTING_PREFIX = `${consoleDialect.prefix}/acting`;
