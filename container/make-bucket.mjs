/** Creates the bucket of ROWPRESS_BLOBS in the store of the profile `cluster`, with the S3 client of the image. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire('/opt/rowpress/package.json');
const { S3Client, CreateBucketCommand } = require('@aws-sdk/client-s3');
const address = new URL(process.env.ROWPRESS_BLOBS ?? '');
const secret = (name) => readFileSync(process.env[`${name}_FILE`] ?? '', 'utf8').trim();
const client = new S3Client({
  endpoint: address.searchParams.get('endpoint') ?? '',
  region: address.searchParams.get('region') ?? 'us-east-1',
  forcePathStyle: true,
  maxAttempts: 20,
  credentials: {
    accessKeyId: secret('AWS_ACCESS_KEY_ID'),
    secretAccessKey: secret('AWS_SECRET_ACCESS_KEY'),
  },
});
const present = new Set(['BucketAlreadyOwnedByYou', 'BucketAlreadyExists']);
await client.send(new CreateBucketCommand({ Bucket: address.hostname })).catch((error) => {
  if (!present.has(error.name)) throw error;
});
