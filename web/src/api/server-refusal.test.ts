import { expect, test } from 'vitest';
import { ServerRefusal } from './server-refusal.ts';

const read = (status: number, body: unknown, headers: Record<string, string> = {}) => {
  const { code, message, field, requestId } = new ServerRefusal(status, body, new Headers(headers));
  return { code, message, field, requestId };
};

test('[CON54] the envelope of the operator API: code, message, field and request id', () => {
  const error = { code: 'INVALID_FIELD', message: 'name is missing.', field: 'name', request_id: 'op-1' };
  expect(read(400, { error }, { 'x-request-id': 'op-1' })).toEqual({
    code: 'INVALID_FIELD',
    message: 'name is missing.',
    field: 'name',
    requestId: 'op-1',
  });
});

test('[CON54] the envelope of Bulk Fill: the request id comes from X-Request-Id', () => {
  const body = { code: 'EXPORT_JOB_NOT_FOUND', message: 'No export job.' };
  expect(read(404, body, { 'x-request-id': 'trace-1' })).toEqual({
    code: 'EXPORT_JOB_NOT_FOUND',
    message: 'No export job.',
    field: undefined,
    requestId: 'trace-1',
  });
});

test('[CON54] the envelope of Subscribers: the request id comes from X-Mailrith-Request-Id', () => {
  const details = { field: 'email', reason: 'is not an address' };
  const error = { type: 'invalid_request', code: 'invalid_field', message: 'email is wrong.', details };
  expect(read(422, { error }, { 'x-mailrith-request-id': 'req_1' })).toEqual({
    code: 'invalid_field',
    message: 'email is wrong.',
    field: 'email',
    requestId: 'req_1',
  });
});

test('[CON54] the problem of Ingest: the code comes from its type, the request id from trace_id', () => {
  const problem = {
    type: 'https://tools.example/docs/errors#not-found',
    title: 'Not found',
    status: 404,
    detail: 'There is no item "Z".',
    instance: '/wms-ingest/v1/master/skus/Z',
    trace_id: '0af7651916cd43dd8448eb211c80319c',
    errors: [{ field: 'source_id', reason: 'is unknown' }],
  };
  expect(read(404, problem)).toEqual({
    code: 'not-found',
    message: 'There is no item "Z".',
    field: 'source_id',
    requestId: '0af7651916cd43dd8448eb211c80319c',
  });
});

test('[CON54] a body that is not an error envelope: the status is the message', () => {
  for (const body of [undefined, null, 'Bad gateway', [], {}, { type: 'about:blank' }])
    expect(read(502, body)).toEqual({
      code: 'UNKNOWN',
      message: 'The server responded with status 502.',
      field: undefined,
      requestId: undefined,
    });
});
