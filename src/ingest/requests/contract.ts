import { z } from 'zod';
import { AT, CORRELATION, idParams, time, writtenExample } from '../contract.ts';

/** The wire schemas of stored requests and of client certificates. */
export const requestParams = idParams(
  'The X-Correlation-Id of a write',
  '0190a000-0000-7000-8000-000000000001',
);
export const requestSchema = z
  .object({
    correlation_id: z.string(),
    received_at: time,
    expires_at: time.describe('Until then, the correlation id replays the response'),
    job_id: z.string().nullable(),
    status: z.int(),
    response: z.unknown().describe('The body of the first response'),
  })
  .meta({
    id: 'IngestRequest',
    description: 'The first request with a correlation id, and its response',
    examples: [
      {
        correlation_id: CORRELATION,
        received_at: AT,
        expires_at: '2026-11-24T09:15:00.000Z',
        job_id: null,
        status: 200,
        response: writtenExample,
      },
    ],
  });

export const certificateParams = idParams('The SHA-256 thumbprint, in hexadecimal', 'ab'.repeat(32));
const THUMBPRINT = 'ab'.repeat(32);
export const certificateBody = z
  .strictObject({
    thumbprint: z
      .string()
      .regex(/^([0-9A-Fa-f]{2}:?){31}[0-9A-Fa-f]{2}$/, 'is not a SHA-256 thumbprint')
      .describe('SHA-256 thumbprint of the certificate that this connection presents'),
    warehouses: z
      .array(z.string().min(1).max(200))
      .min(1)
      .max(100)
      .optional()
      .describe('Absent: the certificate is valid for the whole partner'),
  })
  .meta({ id: 'RegisterCertificate', examples: [{ thumbprint: THUMBPRINT, warehouses: ['HAM-1'] }] });
export const certificateSchema = z
  .object({
    thumbprint: z.string(),
    warehouses: z.array(z.string()).nullable(),
    created_at: time,
    revoked_at: time.nullable(),
  })
  .meta({
    id: 'ClientCertificate',
    description: 'A client certificate that can be used instead of a key',
    examples: [{ thumbprint: THUMBPRINT, warehouses: ['HAM-1'], created_at: AT, revoked_at: null }],
  });
export const certificateListSchema = z
  .object({ data: z.array(certificateSchema), next_cursor: z.null() })
  .meta({
    id: 'ClientCertificates',
    description: 'All client certificates of the partner',
    examples: [{ data: [], next_cursor: null }],
  });
