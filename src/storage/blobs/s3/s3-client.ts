import { S3Client } from '@aws-sdk/client-s3';
import type { S3Address } from '#lib/blob-address.ts';

/** Where the store is and who asks. Without credentials the client's own chain looks: profile, container, instance. */
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
  /** A connection on which nothing moves for so long is given up. A reader that pauses loses it too, and resumes. */
  readonly stallMs: number;
  /** From the request to the first byte of the answer, sending of a part included. */
  readonly answerMs: number;
  /** With pauses that double from 50 ms (1 s where the store says SlowDown), each of random length. */
  readonly attempts: number;
}

/**
 * A store that takes connections and says nothing costs `attempts × stallMs`: less than a slice may take, so that it counts
 * as a failure and not as a slice that never ends.
 */
export const usualTiming: S3Timing = { connectMs: 5_000, stallMs: 15_000, answerMs: 120_000, attempts: 5 };

/** Downloads each hold a connection for as long as their reader takes. */
const MAX_SOCKETS = 256;

export function createS3Client({ address, region, credentials }: S3Settings, timing: S3Timing): S3Client {
  return new S3Client({
    region,
    forcePathStyle: address.pathStyle,
    ...(address.endpoint !== undefined && { endpoint: address.endpoint }),
    ...(credentials !== undefined && { credentials: withToken(credentials) }),
    // Small stores know no checksum trailers. The signature covers the SHA-256 of every body we send, and we
    // check what we read ourselves.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // It would open a new connection for each part.
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
