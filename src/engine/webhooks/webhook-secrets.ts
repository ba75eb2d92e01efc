import type { SecretBox } from './webhook-parts.ts';

/**
 * How a delivery keeps its secrets: a JSON list, the current secret first, sealed as a whole. A delivery keeps
 * the secrets of the moment its event happened; a receiver therefore honours the old one for a while after a
 * rotation.
 */
export function sealSecrets(box: SecretBox, secrets: readonly [string, ...string[]]): Buffer {
  return box.seal(JSON.stringify(secrets));
}

export function openSecrets(box: SecretBox, sealed: Buffer): string[] {
  const secrets: unknown = JSON.parse(box.open(sealed));
  const valid = Array.isArray(secrets) && secrets.length > 0 && secrets.every((s) => typeof s === 'string');
  if (!valid) throw new Error('bug: a delivery without secrets');
  return secrets;
}
