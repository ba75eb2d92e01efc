import { expect, test } from 'vitest';
import { openScene } from '../../../test/support/subscribers-scene.ts';

test('[STO78] an export that an earlier release accepted, without slices: completes', async () => {
  const { api, node } = await openScene({ idle: true });
  const { db } = node.database;
  await api.post('/v1/custom-fields', { label: 'Note', type: 'Text Area' });
  await api.post('/v1/subscribers', { email: 'ada@example.com' });
  const { body: created } = await api.post('/v1/jobs/subscriber-exports', {});
  const selection = { query: null, status: null, coldOnly: false };
  await db
    .updateTable('jobs')
    .set({ input: JSON.stringify({ selection, format: 'csv', day: '2026-01-02' }) })
    .where('id', '=', created.data.id)
    .execute();
  await db.updateTable('slices').set({ input: 'null' }).where('job_id', '=', created.data.id).execute();
  node.work();
  const job = await api.ended(created.data.self);
  expect(job).toMatchObject({ exported_count: 1, file_name: 'subscribers-2026-01-02.csv' });
  const [headers, ada] = (await (await fetch(job.download_url)).text()).split('\r\n');
  expect(headers).toMatch(/,Note$/);
  expect(ada).toMatch(/^ada@example\.com,/);
});
