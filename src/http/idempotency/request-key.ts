import type { FastifyRequest } from 'fastify';

/** The header that carries the key of a request, and its grammar. */
export interface KeyRule {
  /** In lower case. */
  readonly header: string;
  /** Returns the key in the spelling under which it is stored, or undefined if the text is not a key. */
  readonly parse: (text: string) => string | undefined;
  /** The error for a header that is repeated or cannot be parsed. */
  readonly malformed: () => Error;
  /** The error for a missing header. Undefined: the key is optional. */
  readonly missing?: () => Error;
}

export type RequiredKeyRule = Required<KeyRule>;

/** Removes the quotes of an `Idempotency-Key` that is sent as a structured field, as the IETF draft does. */
export function unquoted(text: string): string {
  return /^"(.*)"$/.exec(text)?.[1] ?? text;
}

/** Reads the key of a request. Returns undefined if the request has none and the rule does not require one. */
export function readRequestKey(request: FastifyRequest, rule: RequiredKeyRule): string;
export function readRequestKey(request: FastifyRequest, rule: KeyRule): string | undefined;
export function readRequestKey(request: FastifyRequest, rule: KeyRule): string | undefined {
  const values = request.raw.headersDistinct[rule.header] ?? [];
  const [only] = values;
  if (only === undefined) {
    if (rule.missing !== undefined) throw rule.missing();
    return undefined;
  }
  const key = values.length === 1 ? rule.parse(only) : undefined;
  if (key === undefined) throw rule.malformed();
  return key;
}
