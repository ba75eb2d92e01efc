import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { S3Multipart } from './s3-multipart.ts';
import type { S3Objects } from './s3-objects.ts';
import { Uploads } from './upload.ts';

const PARTS = 3;
const CONTENT = Buffer.alloc(PARTS * 8 * 1024 * 1024, 'x');

function receivedFile() {
  const directory = mkdtempSync(join(tmpdir(), 'rp-upload-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const path = join(directory, 'file');
  writeFileSync(path, CONTENT);
  const digest = createHash('sha256').update(CONTENT).digest('hex');
  return { path, sizeBytes: CONTENT.length, name: digest, digest };
}

test('[BLB13] a part is rejected while the next one is read: the upload fails, and nothing else', async () => {
  const stray: unknown[] = [];
  const hear = (reason: unknown) => void stray.push(reason);
  process.on('unhandledRejection', hear);
  onTestFinished(() => void process.off('unhandledRejection', hear));
  const aborted: string[] = [];
  const multipart: Partial<S3Multipart> = {
    begin: async () => 'upload-1',
    put: async (_key, _id, number) => {
      if (number === 1) throw new Error('AccessDenied');
      return `tag-${number}`;
    },
    abort: async (_key, id) => void aborted.push(id),
  };
  const objects: Partial<S3Objects> = { size: async () => undefined };
  const uploads = new Uploads(objects as S3Objects, multipart as S3Multipart);
  await expect(uploads.send(receivedFile(), 'ab/abcd')).rejects.toThrow('AccessDenied');
  await new Promise((resolve) => setImmediate(resolve));
  expect(stray).toEqual([]);
  expect(aborted).toEqual(['upload-1']);
});
