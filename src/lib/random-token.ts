import { randomBytes } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/**
 * Returns a random text of letters and digits, about 5.95 bits each. It discards bytes from 248 up, so that every character is equally
 * likely (248 is the largest multiple of 62 below 256).
 */
export function randomToken(length: number): string {
  let token = '';
  while (token.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < 248 && token.length < length) token += ALPHABET[byte % 62];
    }
  }
  return token;
}
