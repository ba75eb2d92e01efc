import { createHash, timingSafeEqual } from 'node:crypto';
import { randomToken } from '#lib/random-token.ts';
import type { KeyKind, KeyKinds } from './key-kinds.ts';

const ID_LENGTH = 16;
const SECRET_LENGTH = 40;

/** The two halves of a key as it is sent. */
export interface KeyText {
  readonly id: string;
  readonly secret: string;
}

export function makeKeyText(): KeyText {
  return { id: randomToken(ID_LENGTH), secret: randomToken(SECRET_LENGTH) };
}

export function writeKey({ prefix }: KeyKind, { id, secret }: KeyText): string {
  return `${prefix}${id}.${secret}`;
}

/** Returns undefined if the text does not have the form of a key of that kind. */
export function readKey({ prefix }: KeyKind, token: string): KeyText | undefined {
  if (!token.startsWith(prefix)) return undefined;
  const [, id, secret] = /^([A-Za-z0-9]{1,64})\.([A-Za-z0-9]{1,128})$/.exec(token.slice(prefix.length)) ?? [];
  return id === undefined || secret === undefined ? undefined : { id, secret };
}

/**
 * Reports whether the text has the form of a key of another surface. That is a mistake, not a guess: it can never be
 * valid here.
 */
export function isKeyOfAnother(kinds: KeyKinds, surface: string, token: string): boolean {
  return kinds.surfaces.some((other) => other !== surface && readKey(kinds.get(other), token) !== undefined);
}

export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

const NO_HASH = Buffer.alloc(32);

/** Compares a secret with its hash. Takes as long for an unknown key as for a wrong secret. */
export function secretMatches(secret: string, storedHash: Buffer | undefined): boolean {
  const equal = timingSafeEqual(hashSecret(secret), storedHash ?? NO_HASH);
  return equal && storedHash !== undefined;
}
