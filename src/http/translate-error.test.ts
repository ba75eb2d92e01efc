import { expect, test } from 'vitest';
import { LineRefused, WorkAbandoned } from '#lib/fair-turnstile.ts';
import { dialects } from '../../test/support/product.ts';
import { errorHeaders } from './send-error.ts';
import { translateError } from './translate-error.ts';

test('[LIM23] work that the queue rejects: 503 with Retry-After, in the envelope of each surface', () => {
  const refused = new LineRefused('3 requests of this account are waiting already.', 30_000);
  const answers = dialects.all.map((dialect) => translateError(refused, dialect));
  expect(answers.map(({ code }) => code)).toEqual([
    'SERVICE_UNAVAILABLE',
    'service_unavailable',
    'service-unavailable',
    'SERVICE_UNAVAILABLE',
  ]);
  for (const answer of answers) {
    expect(answer.entry.status).toBe(503);
    expect(answer.message).toBe('3 requests of this account are waiting already. Retry later.');
    expect(errorHeaders(answer)).toMatchObject({ 'retry-after': '30' });
  }
});

test('[LIM22] work whose client disconnected: not a failure of the server', () => {
  expect(translateError(new WorkAbandoned(), dialects.fallback).entry.status).toBe(408);
});
