import { expect, test, vi } from 'vitest';
import { touchBlob } from '#storage/blob-records.ts';
import { count, startTestEngine } from '../../../test/support/engine.ts';
import { sumKind } from '../../../test/support/example-kind.ts';
import { holdArtifact } from './hold-artifact.ts';

const B = 'b'.repeat(64);

test('[RET3] a long reader: recorded every minute while it reads, and not afterwards', async () => {
  const artifact = { mediaType: 'application/zip', sizeBytes: 3, etag: 'e', parts: {}, blobs: [B] };
  const engine = await startTestEngine({
    kind: { ...sumKind(), finish: async () => ({ state: 'completed' as const, artifact }) },
  });
  const { db } = engine.parts.database;
  engine.work();
  await touchBlob(db, { name: B, digest: B, sizeBytes: 3 }, new Date());
  const answer = await engine.engine.accept({
    accountId: engine.accountId,
    kind: 'example.sum',
    input: { count: 1, sliceSize: 1 },
  });
  if (answer.outcome !== 'accepted') throw new Error(answer.outcome);
  await engine.engine.wait(answer.job.id, 20_000);
  const { id } = await db.selectFrom('artifacts').select('id').executeTakeFirstOrThrow();

  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    const source = (async function* () {
      yield 1;
      yield 2;
    })();
    const reading = holdArtifact({ db, clock: engine.parts.clock, ids: engine.parts.ids }, id, source);
    expect(await reading.next()).toEqual({ done: false, value: 1 });
    vi.advanceTimersByTime(60_000);
    await expect.poll(() => count(engine, 'select count(*) from artifact_readers')).toBe(1);
    vi.advanceTimersByTime(60_000);
    expect(await reading.return(undefined)).toEqual({ done: true, value: undefined });
    expect(await count(engine, 'select count(*) from artifact_readers')).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});
