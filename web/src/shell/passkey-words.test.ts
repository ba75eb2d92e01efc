import { expect, it } from 'vitest';
import { passkeyObstacle, passkeyProblem } from './passkey-words.ts';

const good = { isSecureContext: true, hostname: 'rowpress.example', hasWebAuthn: true };

it('[PPL29] a page over https, or on localhost: passkeys work', () => {
  expect(passkeyObstacle(good)).toBeUndefined();
  expect(passkeyObstacle({ ...good, hostname: 'localhost' })).toBeUndefined();
});

it('[PPL29] a loopback number, http, another number or an old browser: a reason in plain words', () => {
  for (const hostname of ['127.0.0.1', '[::1]'])
    expect(passkeyObstacle({ ...good, hostname })).toMatchObject({ localhost: true });
  const reasons = [
    { ...good, isSecureContext: false, hasWebAuthn: false },
    { ...good, hostname: '10.0.0.7' },
    { ...good, hasWebAuthn: false },
  ].map((support) => passkeyObstacle(support));
  expect(reasons).toEqual([
    { reason: 'Passkeys need https, and this page was opened over http.' },
    { reason: 'Passkeys need a host name, and 10.0.0.7 is an IP address.' },
    { reason: 'This browser does not support passkeys. A newer version may.' },
  ]);
});

it('[PPL29] an error of the browser: a sentence that says what happened', () => {
  expect(passkeyProblem(new DOMException('', 'NotAllowedError'))).toContain('cancelled');
  expect(passkeyProblem(new DOMException('', 'InvalidStateError'))).toContain('already has a passkey');
  expect(passkeyProblem(new DOMException('', 'SecurityError'))).toContain('another address');
  expect(passkeyProblem(new TypeError('Failed to fetch'))).toContain('Cannot reach the server');
  expect(passkeyProblem(new Error('The passkey is not stored here.'))).toBe(
    'The passkey is not stored here.',
  );
});
