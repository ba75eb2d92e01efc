import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { onFaultPoint } from '#lib/fault-points.ts';
import { BulkfillClient, goodRows, openScene, rowsJson, type Scene } from '../support/bulkfill-client.ts';
import { startBulkfillServer } from '../support/bulkfill-server.ts';
import { S3Server } from '../support/s3-server/s3-server.ts';

const DAY_MS = 86_400_000;
const BLOB = /[0-9a-f]{2}\/[0-9a-f]{64}$/;

/** Rolls back what the sweep does after it deleted files, as a kill does. */
function killSweep(): void {
  onFaultPoint((point) => {
    if (point === 'sweep.after-files') throw new Error('killed');
  });
  onTestFinished(() => onFaultPoint(undefined));
}

describe.each(['disk', 's3'])('a store of the kind %s', (kind) => {
  let store: S3Server | undefined;
  let scene: Scene;
  beforeAll(async () => {
    store = kind === 's3' ? await S3Server.start() : undefined;
    scene = await openScene({ env: { ...store?.env('installation') } });
  });
  afterAll(async () => {
    await scene?.server.stop();
    await store?.stop();
  });
  const stored = () =>
    store === undefined
      ? readdirSync(join(scene.server.env.ROWPRESS_DATA_DIR ?? '', 'blobs'), { recursive: true })
      : [...store.contents.objects.keys()];
  const blobs = () => stored().filter((name) => BLOB.test(String(name))).length;

  test('[BLB43] a sweep killed after it deleted files: a job with the same PDF completes', async () => {
    const { client, server } = scene;
    const first = await client.create({ rows_json: rowsJson(goodRows(3)) });
    expect(first.body.status).toBe('completed');
    server.clock.advance(2 * DAY_MS);
    killSweep();
    // The server's own sweep may be the one that is killed.
    await server.sweep().catch((error: Error) => expect(error.message).toBe('killed'));
    expect(blobs()).toBe(0);
    const second = await client.create({ rows_json: rowsJson(goodRows(4)) });
    expect(second.body.status).toBe('completed');
    onFaultPoint(undefined);
    await server.sweep();
    // This node has the template in memory. Another one reads what is stored.
    const other = await startBulkfillServer(server.env, { clock: server.clock });
    onTestFinished(() => other.stop());
    const reader = new BulkfillClient(other, client.account, {});
    expect((await reader.archive(second.body.job_id)).manifest.summary.success_rows).toBe(4);
    server.clock.advance(2 * DAY_MS);
    await server.sweep();
    expect(blobs()).toBe(0);
  });
});
