import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { SurroundingsError } from './errors/surroundings-error.ts';
import { createLogger } from './logger.ts';

function capture() {
  const lines: string[] = [];
  const destination = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  return { log: createLogger({ level: 'trace', pretty: false, destination }), lines };
}

test('[HTTP18] members outside the allow-list: are not written', () => {
  const { log, lines } = capture();
  log.info({ jobId: 'j1', row: { email: 'a@example.com' }, authorization: 'Bearer s3cret' }, 'settled');
  log.child({ requestId: 'r1', token: 's3cret' }).warn({ url: '/x?token=s3cret', status: 404 }, 'refused');
  const text = lines.join('');
  expect(text).not.toMatch(/s3cret|example\.com/);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'info', jobId: 'j1', msg: 'settled' });
  expect(JSON.parse(lines[1] ?? '')).toMatchObject({ requestId: 'r1', status: 404 });
});

test('[HTTP18] an error: type, code and place are written, and the message only if it cannot contain input', () => {
  const { log, lines } = capture();
  const unique = Object.assign(new Error('Key (email)=(a@example.com) already exists'), {
    code: '23505',
    severity: 'ERROR',
    table: 'subscribers',
    constraint: 'subscribers_email',
    detail: 'Key (email)=(a@example.com)',
  });
  log.error(unique);
  log.error({ err: new SyntaxError('Unexpected token "s3cret"', { cause: unique }) });
  log.error({ err: new Error('bug: a slice of no job') }, 'failed');
  log.error({ err: new SurroundingsError('unavailable', 'the store is unavailable') }, 'failed');
  expect(lines.join('')).not.toMatch(/s3cret|example\.com/);
  expect(JSON.parse(lines[0] ?? '').err).toMatchObject({
    code: '23505',
    where: 'subscribers.subscribers_email',
  });
  expect(JSON.parse(lines[0] ?? '').err.stack).toContain('logger.test.ts');
  expect(JSON.parse(lines[1] ?? '')).toMatchObject({ msg: 'error', err: { cause: { code: '23505' } } });
  expect(JSON.parse(lines[2] ?? '').err.message).toBe('bug: a slice of no job');
  expect(JSON.parse(lines[3] ?? '').err.message).toBe('the store is unavailable');
});
