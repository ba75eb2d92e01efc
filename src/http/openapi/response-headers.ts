import type { DocumentedHeader } from '../dialects/dialect-spec.ts';

export type DocumentedHeaders = Readonly<Record<string, DocumentedHeader>>;

const text = { type: 'string' };

/** Response headers with the same meaning on every surface. Others are described by the surface that sends them. */
export const responseHeaders = {
  'Retry-After': {
    description: 'Whole seconds to wait before the next request.',
    schema: { type: 'integer', minimum: 1 },
    example: 5,
  },
  'WWW-Authenticate': {
    required: true,
    description: 'The authentication scheme.',
    schema: text,
    example: 'Bearer',
  },
  Allow: { description: 'The methods of this path.', schema: text, example: 'GET, HEAD' },
  'Idempotent-Replayed': {
    description: '`true` if this is the stored response to an earlier request with the same Idempotency-Key.',
    schema: { type: 'string', enum: ['true'] },
  },
  Location: {
    required: true,
    description: 'Address of the job or project, or of the file in the object store.',
    schema: { type: 'string', format: 'uri-reference' },
    example: '/v1/jobs/0190a000-0000-7000-8000-000000000001',
  },
  ETag: {
    required: true,
    description: 'Strong entity tag of the file; of a project, its version in quotes.',
    schema: text,
    example: '"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"',
  },
  'Accept-Ranges': {
    required: true,
    description: 'The file can be read by byte ranges.',
    schema: text,
    example: 'bytes',
  },
  'Content-Range': {
    required: true,
    description: 'The bytes that this response contains, and the size of the file.',
    schema: text,
    example: 'bytes 0-1023/52428',
  },
  'Content-Disposition': {
    required: true,
    description: 'How to show the file, and its name.',
    schema: text,
    example: 'attachment; filename="Payroll-2026-11-17.zip"',
  },
} as const satisfies DocumentedHeaders;
