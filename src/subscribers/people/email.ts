/** RFC 5321 section 4.5.3.1: at most 254 characters in total and 64 before the `@`. */
const MAX_EMAIL_CHARS = 254;
const ASCII =
  /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])$/;
/** Internationalised addresses (RFC 6531): letters of any script, but no white space, quotes or control characters. */
const ANY_SCRIPT =
  /^[^\s@"(),:;<>[\]\\\p{Cc}]{1,64}@(?:[\p{L}\p{N}\p{M}](?:[\p{L}\p{N}\p{M}-]{0,61}[\p{L}\p{N}\p{M}])?\.)+[\p{L}\p{N}\p{M}][\p{L}\p{N}\p{M}-]{0,62}$/u;

/** A trimmed address in its original spelling, and the key that identifies the person. */
export interface Email {
  readonly address: string;
  readonly key: string;
}

/** Returns undefined if the text is not an email address. */
export function parseEmail(text: string): Email | undefined {
  const address = text.trim();
  if (address.length > MAX_EMAIL_CHARS) return undefined;
  if (!ASCII.test(address) && !ANY_SCRIPT.test(address)) return undefined;
  const dots = address.indexOf('..') !== -1 || address.charCodeAt(0) === 46 || address.includes('.@');
  if (dots) return undefined;
  return { address, key: address.toLowerCase() };
}
