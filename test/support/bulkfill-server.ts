import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '#config.ts';
import { createKey } from '#engine/keys/create-key.ts';
import { sweep } from '#engine/retention/sweep.ts';
import { nativeCodec } from '#fill/node/native-codec.ts';
import { inspectInChild } from '#fill/node/prepare-in-child.ts';
import { type LayoutInput, layoutSchema } from '#fill/package/layout-schema.ts';
import { sealPackage } from '#fill/package/seal-package.ts';
import { publicKeyOf } from '#fill/package/signed-statement.ts';
import { createMetrics } from '#http/metrics.ts';
import type { Clock } from '#lib/clock.ts';
import { systemIds } from '#lib/ids.ts';
import { createLogger } from '#lib/logger.ts';
import type { Surroundings } from '#main/start-context.ts';
import { startServer } from '#main.ts';
import { openBlobStore } from '#storage/blobs/open-blob-store.ts';
import { openDatabase } from '#storage/database.ts';
import { databaseUrl } from './cli.ts';
import { createDatabase } from './database.ts';
import { box, layoutOf } from './fill-cli.ts';
import { keyKinds } from './product.ts';
import { sourcePdf } from './source-pdf.ts';

export const SEAL_KEY = Uint8Array.from({ length: 32 }, (_, index) => index + 1);

/** The system clock plus an offset that a test moves forward. */
export class ShiftedClock implements Clock {
  #aheadMs = 0;

  now(): Date {
    return new Date(Date.now() + this.#aheadMs);
  }

  advance(ms: number): void {
    this.#aheadMs += ms;
  }
}

export interface TestAccount {
  readonly name: string;
  readonly id: string;
  readonly key: string;
  readonly keyId: string;
}

export interface BulkfillServer {
  readonly url: string;
  readonly signInLink: string | undefined;
  readonly hasWebApp: boolean;
  readonly clock: ShiftedClock;
  readonly env: Readonly<Record<string, string>>;
  /** Creates a key for a new account, or for the named one. */
  account(options?: {
    readonly plan?: string;
    readonly surface?: string;
    readonly name?: string;
    /** Scopes of the key; defaults to those of the surface. */
    readonly scopes?: readonly string[] | undefined;
  }): Promise<TestAccount>;
  /** Deletes everything expired by the test's clock. A server does this every few minutes. */
  sweep(): Promise<void>;
  /** Names of the files in the upload area; empty when no request is running. */
  temporaryFiles(): Promise<string[]>;
  stop(): Promise<void>;
}

/** Starts the complete composed server with its own database and data directory. One per test file. */
export async function startBulkfillServer(
  overrides: Readonly<Record<string, string>> = {},
  surroundings: Partial<Surroundings> = {},
): Promise<BulkfillServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'rowpress-bulkfill-'));
  const address = await createDatabase();
  const env = {
    HOST: '127.0.0.1',
    PORT: '0',
    ROWPRESS_DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl(address),
    ROWPRESS_SEAL_KEY: Buffer.from(SEAL_KEY).toString('hex'),
    ROWPRESS_WORKERS: '1',
    ROWPRESS_BULKFILL_CREATE_PER_MINUTE: '0',
    ROWPRESS_BULKFILL_READ_PER_MINUTE: '0',
    ROWPRESS_BULKFILL_DOWNLOAD_PER_MINUTE: '0',
    ROWPRESS_COOLDOWN_FAILED_JOBS: '0',
    ROWPRESS_COOLDOWN_RATIO_JOBS: '0',
    ROWPRESS_SYNC_WAIT_MS: '60000',
    ...overrides,
  };
  const read = loadConfig(env);
  if (!read.ok) throw new Error(read.problems.join('; '));
  const clock = new ShiftedClock();
  const log = createLogger({ level: 'silent', pretty: false });
  const server = await startServer(read.config, log, createMetrics(), { clock, ...surroundings });
  const database = openDatabase(address, 4, () => {});
  let accounts = 0;
  let stopped: Promise<void> | undefined;
  const stop = async () => {
    await server.stop();
    await database.close();
    await rm(dataDir, { recursive: true, force: true });
  };
  return {
    url: server.url,
    signInLink: server.signInLink,
    hasWebApp: server.hasWebApp,
    clock,
    env,
    account: async ({
      plan = 'unlimited',
      surface = 'bulkfill',
      name = `account-${++accounts}`,
      scopes,
    } = {}) => {
      const parts = { db: database.db, kinds: keyKinds, clock, ids: systemIds, plan };
      const made = await createKey(parts, { surface, account: name, scopes });
      if (!made.ok) throw new Error(made.reason);
      return { name, id: made.record.accountId, key: made.key, keyId: made.record.id };
    },
    sweep: async () => {
      const blobs = await openBlobStore(read.config);
      await sweep({ db: database.db, clock, blobs, settings: read.config });
    },
    temporaryFiles: () => readdir(join(dataDir, 'blobs', 'tmp')).catch(() => []),
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
  };
}

/** A layout sealed with a key that test servers trust. */
export async function seal(
  layout: LayoutInput,
  pdf: Uint8Array,
  secretKey: Uint8Array = SEAL_KEY,
): Promise<Uint8Array> {
  const inspected = await inspectInChild(pdf);
  if (!inspected.ok) throw new Error(inspected.message);
  const sealed = sealPackage({
    layout: layoutSchema.parse(layout),
    source: inspected.metadata,
    assets: new Map(),
    secretKey,
    codec: nativeCodec,
  });
  if (!sealed.ok) throw new Error(sealed.message);
  return sealed.bytes;
}

export const sealedBy = (secretKey: Uint8Array) => publicKeyOf(secretKey);

/** One page with `column_0` as text and `column_1` as QR code (skipped if blank or missing). */
export const letterPdf = sourcePdf({ pages: [{}] });
export const nameLayout = layoutOf([{ id: 'name', type: 'text', ...box, value: { column: 'column_0' } }]);
export const codeLayout = layoutOf([
  { id: 'name', type: 'text', ...box, value: { column: 'column_0' } },
  { id: 'code', type: 'qr', ...box, x: 400, width: 90, height: 90, value: { column: 'column_1' } },
]);
