import { S3Client } from '@aws-sdk/client-s3';
import type { S3Address } from '#lib/blob-address.ts';

/**
 * The address and credentials of a store. Without credentials, the client searches its default chain: profile,
 * container, instance.
 */
export interface S3Settings {
  readonly address: S3Address;
  readonly region: string;
  readonly credentials:
    | {
        readonly accessKeyId: string;
        readonly secretAccessKey: string;
        readonly sessionToken: string | undefined;
      }
    | undefined;
}

export interface S3Timing {
  readonly connectMs: number;
  /** A connection without traffic for this long is closed. A reader that pauses longer loses it too, and resumes. */
  readonly stallMs: number;
  /** Time from the request to the first byte of the response, including the upload of a part. */
  readonly answerMs: number;
  /** Maximum attempts. Pauses double from 50 ms (from 1 s after SlowDown) with jitter. */
  readonly attempts: number;
}

/**
 * A store that accepts connections but never responds costs `attempts × stallMs`. That is less than the slice timeout,
 * so it counts as a failure, not as a slice that never ends.
 */
export const usualTiming: S3Timing = { connectMs: 5_000, stallMs: 15_000, answerMs: 120_000, attempts: 5 };

/** Each download holds a connection until its reader has finished. */
const MAX_SOCKETS = 256;

export function createS3Client({ address, region, credentials }: S3Settings, timing: S3Timing): S3Client {
  return new S3Client({
    region,
    forcePathStyle: address.pathStyle,
    ...(address.endpoint !== undefined && { endpoint: address.endpoint }),
    ...(credentials !== undefined && { credentials: withToken(credentials) }),
    // Small stores do not support checksum trailers. The signature covers the SHA-256 of every body that is sent, and
    // reads are verified in read-object.ts.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // `Expect: 100-continue` would open a new connection for each part.
    expectContinueHeader: false,
    retryMode: 'standard',
    maxAttempts: timing.attempts,
    requestHandler: {
      connectionTimeout: timing.connectMs,
      socketTimeout: timing.stallMs,
      requestTimeout: timing.answerMs,
      throwOnRequestTimeout: true,
      httpAgent: { maxSockets: MAX_SOCKETS },
      httpsAgent: { maxSockets: MAX_SOCKETS },
    },
  });
}

function withToken({ sessionToken, ...keys }: NonNullable<S3Settings['credentials']>) {
  return sessionToken === undefined ? keys : { ...keys, sessionToken };
}
