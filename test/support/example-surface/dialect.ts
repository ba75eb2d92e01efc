import { type DialectSpec, objectSchema, onlyValue } from '#http/dialects/dialect-spec.ts';
import { exampleErrors } from './errors.ts';

/** Errors are `{"failure": {"code", "text"}}`; `X-Example-Id` carries the request id. */
export const exampleDialect: DialectSpec = {
  title: 'Example',
  prefix: '/example/v1',
  errors: exampleErrors,
  documented: true,
  identify(request, ids) {
    const id = onlyValue(request, 'x-example-id') ?? `ex-${ids.randomUuid()}`;
    return { id, headers: { 'x-example-id': id } };
  },
  render: ({ code, message }) => ({
    contentType: 'application/json; charset=utf-8',
    body: { failure: { code, text: message } },
  }),
  pointAt: () => ({}),
  envelope(codes) {
    const members = { code: { type: 'string', enum: codes }, text: { type: 'string' } };
    const failure = objectSchema(members, ['code', 'text']);
    return { mediaType: 'application/json', schema: objectSchema({ failure }, ['failure']) };
  },
};
