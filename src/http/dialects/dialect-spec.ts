import type { IncomingMessage } from 'node:http';
import type { z } from 'zod';
import type { ApiError } from '#lib/errors/api-error.ts';
import type { ErrorCatalogue } from '#lib/errors/catalogue.ts';
import type { Ids } from '#lib/ids.ts';

/** The id of one request, and the response headers that contain it. */
export interface Identity {
  readonly id: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface ErrorContext {
  readonly requestId: string;
  /** The path as the caller wrote it, without its query, which may contain a token. */
  readonly path: string;
  /** The public address of this server, without a slash at the end. */
  readonly baseUrl: string;
}

export interface RenderedError {
  readonly contentType: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** JSON Schema as in OpenAPI 3.1 (draft 2020-12). */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A response header, for the OpenAPI document. */
export interface DocumentedHeader {
  readonly description: string;
  /** Whether every response that documents it carries it. */
  readonly required?: boolean;
  readonly schema: JsonSchema;
  readonly example?: unknown;
}

/** The body of `render`, for the OpenAPI document. */
export interface Envelope {
  readonly mediaType: string;
  readonly schema: z.ZodType;
}

/** The conventions of a route group: its request ids and the shape of its errors. */
export interface DialectSpec {
  /** As headings show it, such as `Bulk Fill`. */
  readonly title: string;
  /** Applies to every path at or below it, unless a longer prefix matches. */
  readonly prefix: string;
  readonly errors: ErrorCatalogue;
  /** Whether its routes are in the public OpenAPI document. */
  readonly documented: boolean;
  identify(request: IncomingMessage, ids: Ids): Identity;
  render(error: ApiError, context: ErrorContext): RenderedError;
  /** Members that the envelope adds if one member of the input is invalid. */
  pointAt(field: string, reason: string): Readonly<Record<string, unknown>>;
  /** The headers of `identify`. */
  readonly identityHeaders: Readonly<Record<string, DocumentedHeader>>;
  readonly envelope: Envelope;
}

/** The header's only value. Node.js joins repeated headers, so a repeated one is rejected here. */
export function onlyValue(request: IncomingMessage, name: string): string | undefined {
  const values = request.headersDistinct[name];
  return values?.length === 1 ? values[0] : undefined;
}
