import type { SecretBox } from './webhook-parts.ts';

/**
 * Seals the secrets of a delivery as a JSON list, the current secret first. A delivery keeps the secrets from the time
 * of its event, so a receiver must accept the old one for a while after a rotation.
 */
export function sealSecrets(box: SecretBox, secrets: readonly [string, ...string[]]): Buffer {
  return box.seal(JSON.stringify(secrets));
}

export function openSecrets(box: SecretBox, sealed: Buffer): string[] {
  const secrets: unknown = JSON.parse(box.open(sealed));
  const valid = Array.isArray(secrets) && secrets.length > 0 && secrets.every((s) => typeof s === 'string');
  if (!valid) throw new Error('bug: the delivery has no secrets');
  return secrets;
}
