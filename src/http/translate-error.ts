import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import { ApiError } from '#lib/errors/api-error.ts';
import type { ShellFault } from '#lib/errors/catalogue.ts';
import { faultOf } from '#lib/errors/fault-of.ts';
import { SurroundingsError } from '#lib/errors/surroundings-error.ts';
import { LineRefused, WorkAbandoned } from '#lib/fair-turnstile.ts';
import type { DialectSpec } from './dialects/dialect-spec.ts';

/** Errors of Fastify, with our faults and messages. */
const FRAMEWORK: Readonly<Record<string, readonly [ShellFault, string]>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ['payloadTooLarge', 'The body exceeds the size limit of this route.'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['malformed', 'This route does not support that Content-Type.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['malformed', 'The length of the body differs from Content-Length.'],
  FST_ERR_CTP_EMPTY_JSON_BODY: ['malformed', 'The body is empty.'],
  FST_ERR_CTP_INVALID_JSON_BODY: ['malformed', 'The body is not valid JSON.'],
  FST_ERR_BAD_URL: ['badUrl', 'The path is not validly percent-encoded.'],
  // Files of /docs: a path that leaves their folder, or names one that starts with a dot.
  FST_STATIC_FORBIDDEN_PATH: ['routeNotFound', 'Nothing exists at this path.'],
  FST_ERR_MAX_PARAM_LENGTH: ['badUrl', 'A part of the path is too long.'],
};

/** A rejection by the shell or its body parser: a fault that every dialect has a code for. */
export class ShellRefusal extends Error {
  readonly fault: ShellFault;
  readonly headers: Readonly<Record<string, string>>;

  constructor(fault: ShellFault, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.fault = fault;
    this.headers = headers;
  }
}

/**
 * Turns a thrown value into an error of the caller's dialect. An `ApiError` passes unchanged; faults of the environment become 503;
 * everything else is a bug, whose text is not sent.
 */
export function translateError(thrown: unknown, dialect: DialectSpec): ApiError {
  if (thrown instanceof ApiError) return thrown;
  const say = (fault: ShellFault, message?: string, extra = {}) =>
    new ApiError(dialect.errors, dialect.errors.shell[fault], message, extra);
  if (thrown instanceof ShellRefusal) return say(thrown.fault, thrown.message, { headers: thrown.headers });
  if (thrown instanceof LineRefused)
    return say('unavailable', thrown.message, { retryAfterSeconds: thrown.retryAfterSeconds });
  // The client has disconnected; this status keeps the request from being logged as a server failure.
  if (thrown instanceof WorkAbandoned) return say('timeout', thrown.message);
  if (hasZodFastifySchemaValidationErrors(thrown)) {
    const issue = thrown.validation[0];
    const field =
      (issue?.instancePath ?? '').slice(1).replaceAll('/', '.') || (thrown.validationContext ?? 'body');
    const reason = issue?.message ?? 'has an invalid value';
    return say('invalidBody', `${field}: ${reason}.`, { members: dialect.pointAt(field, reason) });
  }
  const known = thrown instanceof Error && 'code' in thrown ? FRAMEWORK[String(thrown.code)] : undefined;
  if (known !== undefined) return say(...known);
  const fault = faultOf(thrown);
  if (fault === undefined) return say('internal');
  const { message, ...extra } = thrown instanceof SurroundingsError ? thrown.answer : {};
  return say(fault, message, extra);
}
