/**
 * Measures imports and exports against a real server and a real PostgreSQL (fsync on), beside the bare statement in the
 * same run. `node bench/subscribers/run.ts [rows] [rounds] [upload|inline]`; the default is 200,000 rows, 3 rounds and
 * uploads.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '#storage/database.ts';
import { migrate } from '#storage/migrate.ts';
import { startCluster } from '../../test/support/postgres.ts';
import { SubscribersProcess } from '../../test/support/subscribers-process.ts';
import { bareCopyAndMerge, type Person } from './bare-merge.ts';

const rows = Number(process.argv[2] ?? 200_000);
const rounds = Number(process.argv[3] ?? 3);
const inline = process.argv[4] === 'inline';
const mappings = [
  { csv_column: 'Email', field: { type: 'email' } },
  { csv_column: 'Name', field: { type: 'name' } },
];

const people = (round: number): Person[] =>
  Array.from({ length: rows }, (_, i) => {
    const n = (i * 7_919) % rows;
    return { email: `user${n}.r${round}@example.com`, name: `Person Number ${n}` };
  });

const cluster = await startCluster(true);
const blobRoot = await mkdtemp(join(tmpdir(), 'rowpress-bench-'));
try {
  const address = { host: cluster.socketDir, database: 'postgres', user: 'rowpress' };
  const admin = openDatabase(address, 2, console.error);
  await migrate(admin.db);
  const server = await SubscribersProcess.start({ address, blobRoot });
  const { api } = server;
  const { rows: accounts } = await admin.pool.query<{ id: string }>(
    "insert into accounts (id, name, plan, created_at) values (gen_random_uuid(), 'bare', 'unlimited', now()) returning id",
  );
  const bareAccount = accounts[0]?.id ?? '';
  const table: Record<string, string | number>[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const list = people(round);
    let began = performance.now();
    await bareCopyAndMerge(admin.pool, bareAccount, list);
    const bareMs = performance.now() - began;
    let csv: string | undefined =
      `Email,Name\n${list.map(({ email, name }) => `${email},${name}`).join('\n')}\n`;
    const bytes = Buffer.byteLength(csv);
    await server.peakRss();
    began = performance.now();
    let source: Record<string, unknown> = { csv_text: csv };
    if (!inline) {
      const started = await api.post('/v1/jobs/subscriber-import-uploads');
      const put = await fetch(started.body.data.upload_url, { method: 'PUT', body: Buffer.from(csv) });
      if (put.status !== 200) throw new Error(await put.text());
      source = { upload_id: started.body.data.id };
    }
    csv = undefined;
    const putMs = performance.now() - began;
    began = performance.now();
    const created = await api.post('/v1/jobs/subscriber-imports', { ...source, mappings });
    if (created.status !== 202) throw new Error(JSON.stringify(created.body));
    const job = await api.ended(created.body.data.self);
    const importMs = performance.now() - began;
    if (job.created_count !== rows) throw new Error(JSON.stringify(job));
    const perSecond = (ms: number) => Math.round((rows / ms) * 1000);
    table.push({
      round,
      'bare COPY + merge, rows/s': perSecond(bareMs),
      'import job, rows/s': perSecond(importMs),
      ratio: (bareMs / importMs).toFixed(2),
      'with the upload': (bareMs / (importMs + putMs)).toFixed(2),
      'file MB': (bytes / 1e6).toFixed(1),
      'server peak RSS, MB': Math.round((await server.peakRss()) / 1e6),
    });
  }
  console.table(table);
  await server.peakRss();
  const began = performance.now();
  const created = await api.post('/v1/jobs/subscriber-exports');
  const job = await api.ended(created.body.data.self);
  const exportMs = performance.now() - began;
  const download = await fetch(job.download_url);
  let downloaded = 0;
  for await (const chunk of download.body ?? []) downloaded += chunk.length;
  console.table([
    {
      'exported rows': job.exported_count,
      'rows/s': Math.round((job.exported_count / exportMs) * 1000),
      'file MB': (downloaded / 1e6).toFixed(1),
      'server peak RSS, MB': Math.round((await server.peakRss()) / 1e6),
    },
  ]);
  await server.stop();
  await admin.close();
} finally {
  await cluster.stop();
  await rm(blobRoot, { recursive: true, force: true });
}
