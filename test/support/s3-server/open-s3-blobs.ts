import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { parseBlobAddress } from '#lib/blob-address.ts';
import { S3Blobs } from '#storage/blobs/s3/s3-blobs.ts';
import type { S3Settings, S3Timing } from '#storage/blobs/s3/s3-client.ts';
import { S3Server, type S3ServerOptions } from './s3-server.ts';

/** Timeouts that tolerate a busy machine but not a store that hangs. */
export const testTiming: S3Timing = { connectMs: 5_000, stallMs: 20_000, answerMs: 60_000, attempts: 4 };

export async function startS3Server(options: S3ServerOptions = {}): Promise<S3Server> {
  const server = await S3Server.start(options);
  onTestFinished(() => server.stop());
  return server;
}

export function settingsOf(env: Record<string, string>, region = 'us-east-1'): S3Settings {
  const parsed = parseBlobAddress(env.ROWPRESS_BLOBS ?? '');
  if (!parsed.ok || parsed.address.kind !== 's3') throw new Error('bug: no address of an object store');
  return {
    address: parsed.address,
    region: parsed.address.region ?? region,
    credentials: {
      accessKeyId: env.AWS_ACCESS_KEY_ID ?? '',
      secretAccessKey: env.AWS_SECRET_ACCESS_KEY ?? '',
      sessionToken: env.AWS_SESSION_TOKEN,
    },
  };
}

export function stagingDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'rp-s3-staging-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** Opens a store under its own prefix. */
export function openS3Blobs(
  server: Pick<S3Server, 'env'>,
  { prefix = `p-${randomBytes(6).toString('hex')}`, staging = stagingDirectory(), timing = {} } = {},
): Promise<S3Blobs> {
  return S3Blobs.open(settingsOf(server.env(prefix)), staging, { ...testTiming, ...timing });
}
