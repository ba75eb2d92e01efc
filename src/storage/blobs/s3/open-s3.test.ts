import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { type Config, loadConfig } from '#config.ts';
import { OperatorError } from '#lib/errors/operator-error.ts';
import { stagingDirectory, startS3Server } from '../../../../test/support/s3-server/open-s3-blobs.ts';
import { BUCKET, testAccount } from '../../../../test/support/s3-server/s3-server.ts';
import { openBlobStore } from '../open-blob-store.ts';

function configOf(env: Record<string, string>): Config {
  const read = loadConfig({ ROWPRESS_DATA_DIR: stagingDirectory(), ...env });
  if (!read.ok) throw new Error(read.problems.join());
  return read.config;
}

/** Returns the startup error of a server with this environment. */
async function refusal(env: Record<string, string>): Promise<string> {
  const failure = await openBlobStore(configOf(env)).then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(OperatorError);
  const { message } = failure as OperatorError;
  expect(message).toContain('ROWPRESS_BLOBS');
  expect(message).not.toContain(env.AWS_ACCESS_KEY_ID);
  expect(message).not.toContain(env.AWS_SECRET_ACCESS_KEY);
  return message;
}

test('[BLB14] a store that rejects the request: the error names the operation, the response and the fix, without credentials', async () => {
  const server = await startS3Server();
  const env = server.env('p');
  const place = `s3://${BUCKET}/p at ${server.endpoint}`;
  expect(await refusal({ ...env, AWS_SECRET_ACCESS_KEY: 'not-the-secret' })).toBe(
    `ROWPRESS_BLOBS: The blob store ${place} failed at ListObjectsV2: SignatureDoesNotMatch (403). Check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN.`,
  );
  expect(await refusal({ ...env, AWS_ACCESS_KEY_ID: 'AKIDOTHER' })).toContain('InvalidAccessKeyId (403)');
  expect(await refusal({ ...env, AWS_SESSION_TOKEN: 'unasked' })).toContain('AccessDenied (403)');
  const elsewhere = { ...env, ROWPRESS_BLOBS: env.ROWPRESS_BLOBS?.replace('us-east-1', 'eu-west-9') ?? '' };
  expect(await refusal(elsewhere)).toMatch(/AuthorizationHeaderMalformed \(400\)\. Set the region/);
  const nowhere = { ...env, ROWPRESS_BLOBS: env.ROWPRESS_BLOBS?.replace(BUCKET, 'no-bucket') ?? '' };
  expect(await refusal(nowhere)).toMatch(/s3:\/\/no-bucket\/p .* NoSuchBucket \(404\)\. Create the bucket/);
  expect([...server.contents.objects.keys()]).toEqual([]);
});

test('[BLB14] a read-only key: rejected at the first start, accepted afterwards', async () => {
  const server = await startS3Server();
  server.faults.plan('PutObject', { do: 'answer', status: 403, code: 'AccessDenied' });
  expect(await refusal(server.env('p'))).toMatch(/at PutObject: AccessDenied \(403\)\. Allow this key/);
  const opened = async () => (await openBlobStore(configOf(server.env('p')))).identity();
  const name = await opened();
  server.faults.plan('PutObject', { do: 'answer', status: 403, code: 'AccessDenied' }, 100);
  expect(await opened()).toBe(name);
});

test('[BLB14] an endpoint that is closed or is not an object store: reported', async () => {
  const server = await startS3Server();
  const env = server.env('p');
  await server.stop();
  expect(await refusal(env)).toMatch(/at ListObjectsV2: ECONNREFUSED\. Check the endpoint in ROWPRESS_BLOBS/);

  const page = createServer((_, response) => response.end('<html>hello</html>')).listen(0, '127.0.0.1');
  onTestFinished(() => void page.close());
  await new Promise((resolve) => page.once('listening', resolve));
  const endpoint = `http://127.0.0.1:${(page.address() as AddressInfo).port}`;
  expect(await refusal({ ...env, ROWPRESS_BLOBS: `s3://${BUCKET}/p?endpoint=${endpoint}` })).toContain(
    endpoint,
  );
});

test('[BLB14] temporary credentials and another region: passed to the client', async () => {
  const account = { ...testAccount, sessionToken: 'token+of/the=hour', region: 'eu-central-7' };
  const server = await startS3Server({ account });
  const store = await openBlobStore(configOf(server.env('p')));
  expect(await store.identity()).toMatch(/^[0-9a-f]{64}$/);
  const without = { ...server.env('p'), AWS_SESSION_TOKEN: '' };
  expect(await refusal(without)).toContain('InvalidToken (403)');
});
