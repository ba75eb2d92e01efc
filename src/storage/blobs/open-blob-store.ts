import { isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BlobAddress, describeS3, type S3Address } from '#lib/blob-address.ts';
import { OperatorError } from '#lib/errors/operator-error.ts';
import { SurroundingsError } from '#lib/errors/surroundings-error.ts';
import { ensureDataDir } from '../data-dir.ts';
import type { BlobStore } from './blob-store.ts';
import { DiskBlobs } from './disk.ts';

export interface BlobSettings {
  readonly blobs: BlobAddress;
  readonly dataDir: string;
  readonly awsAccessKeyId: string | undefined;
  readonly awsSecretAccessKey: string | undefined;
  readonly awsSessionToken: string | undefined;
  readonly awsRegion: string | undefined;
  readonly awsDefaultRegion: string | undefined;
}

/** Default region of stores other than Amazon's. */
const REGION_OF_ENDPOINTS = 'us-east-1';

/** Opens the store that `ROWPRESS_BLOBS` names, or `blobs` in the data directory. */
export async function openBlobStore(settings: BlobSettings): Promise<BlobStore> {
  const { blobs, dataDir } = settings;
  if (blobs.kind !== 'disk') ensureDataDir(dataDir);
  if (blobs.kind === 's3') return openS3(blobs, settings);
  const root = rootOf(blobs, dataDir);
  try {
    return await DiskBlobs.open(root);
  } catch (error) {
    throw new OperatorError(
      `The blob store ${root} cannot be used (${(error as Error).message}). Give this user read and write access, or set ROWPRESS_BLOBS to another store.`,
    );
  }
}

/** Describes the location of the blobs for operators. */
export function blobStorePlace({ blobs, dataDir }: Pick<BlobSettings, 'blobs' | 'dataDir'>): string {
  return blobs.kind === 's3' ? describeS3(blobs) : rootOf(blobs, dataDir);
}

/** Lists the directories that this server writes uploads and blobs to. */
export function localDirectories({ blobs, dataDir }: Pick<BlobSettings, 'blobs' | 'dataDir'>): string[] {
  return blobs.kind === 's3' ? [dataDir] : [dataDir, rootOf(blobs, dataDir)];
}

async function openS3(address: S3Address, settings: BlobSettings): Promise<BlobStore> {
  // Imported lazily: the client takes 34 MB of memory, which an installation on disk does not need.
  const { S3Blobs } = await import('./s3/s3-blobs.ts');
  const { awsAccessKeyId, awsSecretAccessKey, awsSessionToken } = settings;
  const credentials =
    awsAccessKeyId === undefined || awsSecretAccessKey === undefined
      ? undefined
      : {
          accessKeyId: awsAccessKeyId,
          secretAccessKey: awsSecretAccessKey,
          sessionToken: awsSessionToken,
        };
  const region = address.region ?? settings.awsRegion ?? settings.awsDefaultRegion ?? REGION_OF_ENDPOINTS;
  try {
    return await S3Blobs.open({ address, region, credentials }, join(settings.dataDir, 'uploads'));
  } catch (error) {
    if (error instanceof SurroundingsError) throw new OperatorError(`ROWPRESS_BLOBS: ${error.message}`);
    throw error;
  }
}

/** Accepts `file:///absolute`, `file:/absolute` or `file:relative`. */
function rootOf(blobs: Exclude<BlobAddress, S3Address>, dataDir: string): string {
  if (blobs.kind === 'dataDir') return join(dataDir, 'blobs');
  const path = blobs.address.slice('file:'.length);
  if (path.startsWith('//')) return fileURLToPath(blobs.address);
  return isAbsolute(path) ? path : resolve(path);
}
