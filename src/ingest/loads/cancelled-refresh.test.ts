import { expect, test } from 'vitest';
import { parsePublicId } from '#ingest/public-id.ts';
import { skus, startIngest } from '../../../test/support/ingest.ts';

test('[JOB17] [ING25] a cancelled refresh: its list of seen items is deleted, and the collection is free', async () => {
  const { client, node } = await startIngest({ workers: 0 });
  const { database, engine } = node;
  const partner = await client();
  const refresh = async (collection: string) => {
    const { body } = await partner.send(`/${collection}?mode=full-refresh`, skus(5001));
    const jobId = parsePublicId('job', body.job_id);
    if (jobId === undefined) throw new Error(`no job: ${JSON.stringify(body)}`);
    await database.pool.query("insert into ingest_seen (job_id, source_id) values ($1, 'A')", [jobId]);
    return { jobId, path: `/jobs/${body.job_id}` };
  };
  const cancelled = await refresh('master/lots');
  const running = await refresh('master/skus');

  expect(await engine.cancel(cancelled.jobId)).toBe(true);
  const { rows } = await database.pool.query('select job_id from ingest_seen');
  expect(rows).toEqual([{ job_id: running.jobId }]);
  expect((await partner.get(cancelled.path)).body).toMatchObject({ status: 'FAILED' });
  expect((await partner.send('/master/lots?mode=full-refresh', skus(1))).status).toBe(200);
});
