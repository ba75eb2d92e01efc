/** RFC 5321 section 4.5.3.1: 254 characters fit a path, 64 the part before the `@`. */
const MAX_EMAIL_CHARS = 254;
const ASCII =
  /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])$/;
/** Internationalised addresses (RFC 6531): letters of any script, but no white space, quotes or controls. */
const ANY_SCRIPT =
  /^[^\s@"(),:;<>[\]\\\p{Cc}]{1,64}@(?:[\p{L}\p{N}\p{M}](?:[\p{L}\p{N}\p{M}-]{0,61}[\p{L}\p{N}\p{M}])?\.)+[\p{L}\p{N}\p{M}][\p{L}\p{N}\p{M}-]{0,62}$/u;

/** An address as this product knows it: trimmed as it was written, and the key that tells people apart. */
export interface Email {
  readonly address: string;
  readonly key: string;
}

/** Undefined: nothing mail could be sent to. */
export function parseEmail(text: string): Email | undefined {
  const address = text.trim();
  if (address.length > MAX_EMAIL_CHARS) return undefined;
  if (!ASCII.test(address) && !ANY_SCRIPT.test(address)) return undefined;
  const dots = address.indexOf('..') !== -1 || address.charCodeAt(0) === 46 || address.includes('.@');
  if (dots) return undefined;
  return { address, key: address.toLowerCase() };
}
