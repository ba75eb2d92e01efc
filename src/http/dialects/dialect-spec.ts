import type { IncomingMessage } from 'node:http';
import type { ApiError } from '#lib/errors/api-error.ts';
import type { Dialect } from '#lib/errors/catalogue.ts';
import type { Ids } from '#lib/ids.ts';

/** How one request is called, and the response headers that tell the caller so. */
export interface Identity {
  readonly id: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface ErrorContext {
  readonly requestId: string;
  /** The path as the caller wrote it, without its query (which may hold a token). */
  readonly path: string;
  /** Where this server is reached, without a slash at the end. */
  readonly baseUrl: string;
}

export interface RenderedError {
  readonly contentType: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** The language of a route group: how its requests are named and what its errors look like. */
export interface DialectSpec {
  readonly name: Dialect;
  /** Every path at or below it speaks this dialect, unless a longer prefix claims it. */
  readonly prefix: string;
  identify(request: IncomingMessage, ids: Ids): Identity;
  render(error: ApiError, context: ErrorContext): RenderedError;
  /** What the envelope adds when one member of the input is at fault. */
  pointAt(field: string, reason: string): Readonly<Record<string, unknown>>;
}

/** The header's only value; Node.js joins repeated headers, so a repeated one is told apart here. */
export function onlyValue(request: IncomingMessage, name: string): string | undefined {
  const values = request.headersDistinct[name];
  return values?.length === 1 ? values[0] : undefined;
}
