import type { S3Client } from '@aws-sdk/client-s3';
import { describeS3 } from '#lib/blob-address.ts';
import { createS3Client, type S3Settings, type S3Timing } from './s3-client.ts';
import { explainS3Error, isMissing } from './s3-errors.ts';

/** One bucket and prefix, named in every error. Keys exclude the prefix. */
export class S3Connection {
  readonly client: S3Client;
  readonly bucket: string;
  /** The prefix with a trailing slash, or an empty string. */
  readonly root: string;
  /** The address as shown to operators. */
  readonly place: string;

  constructor(settings: S3Settings, timing: S3Timing) {
    const { bucket, prefix } = settings.address;
    this.client = createS3Client(settings, timing);
    this.bucket = bucket;
    this.root = prefix === '' ? '' : `${prefix}/`;
    this.place = describeS3(settings.address);
  }

  at(key: string): { readonly Bucket: string; readonly Key: string } {
    return { Bucket: this.bucket, Key: `${this.root}${key}` };
  }

  without(key: string): string {
    return key.slice(this.root.length);
  }

  /** Returns undefined if the object does not exist. */
  async find<T>(operation: string, run: () => Promise<T>): Promise<T | undefined> {
    return this.explain(operation, async () => {
      try {
        return await run();
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    });
  }

  async explain<T>(operation: string, run: () => Promise<T>): Promise<T> {
    try {
      return await run();
    } catch (error) {
      throw explainS3Error(this.place, operation, error);
    }
  }
}
