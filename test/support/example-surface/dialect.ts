import { z } from 'zod';
import { type DialectSpec, onlyValue } from '#http/dialects/dialect-spec.ts';
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
  identityHeaders: { 'X-Example-Id': { description: 'Id of this request', schema: { type: 'string' } } },
  envelope: {
    mediaType: 'application/json',
    schema: z
      .object({ failure: z.object({ code: z.string(), text: z.string() }) })
      .meta({ id: 'ExampleError', description: 'An error of the example' }),
  },
};
