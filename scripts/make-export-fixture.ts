/**
 * Writes `test/fixtures/export-<version>.zip`: an export of this release with a job, subscribers and an item, and
 * `expected.json`, which names what a later release must find after an import. The release script runs this; tests import
 * the fixtures of all releases. The keys in it belong to an installation that exists nowhere else.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import { VERSION } from '#lib/version.ts';
import { rowpressJson } from '../test/support/cli.ts';
import { ServerProcess } from '../test/support/server-process.ts';

const FORM = 'examples/01-fill-a-form';
const folder = mkdtempSync(join(tmpdir(), 'rowpress-fixture-'));
const env = { ROWPRESS_DATA_DIR: join(folder, 'data') };
try {
  const content = await fill();
  await rowpressJson(['export', join(folder, 'export')], env);
  const files = Object.fromEntries(
    readdirSync(join(folder, 'export'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path.slice(folder.length + 1), new Uint8Array(readFileSync(path))]),
  );
  const expected = Buffer.from(JSON.stringify({ version: VERSION, ...content }, null, 2));
  const target = `test/fixtures/export-${VERSION}.zip`;
  const bytes = zipSync(
    { ...files, 'expected.json': new Uint8Array(expected) },
    { level: 9, mtime: '1980-01-01' },
  );
  writeFileSync(target, bytes);
  console.error(`wrote ${target}: ${bytes.length} bytes`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Creates the content over HTTP, as clients do. */
async function fill() {
  const server = await ServerProcess.start(env);
  try {
    const keyOf = async (surface: string) =>
      (
        await rowpressJson<{ key: string }>(
          ['keys', 'create', '--surface', surface, '--account', 'Ünï & Co'],
          env,
        )
      ).key;
    const keys = {
      bulkfill: await keyOf('bulkfill'),
      subscribers: await keyOf('subscribers'),
      ingest: await keyOf('ingest'),
    };
    const call = async (
      path: string,
      key: string,
      body: FormData | object,
    ): Promise<Record<string, unknown>> => {
      const isForm = body instanceof FormData;
      const answer = await fetch(server.url + path, {
        method: 'POST',
        body: isForm ? body : JSON.stringify(body),
        headers: {
          authorization: `Bearer ${key}`,
          'idempotency-key': crypto.randomUUID(),
          'x-correlation-id': crypto.randomUUID(),
          ...(isForm ? {} : { 'content-type': 'application/json' }),
        },
      });
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
      return (await answer.json()) as Record<string, unknown>;
    };

    const sealed = join(folder, 'form.doqlo');
    await rowpressJson(
      ['layout', 'seal', '--layout', `${FORM}/layout.json`, '--pdf', `${FORM}/form.pdf`, '-o', sealed],
      env,
    );
    const form = new FormData();
    form.append('pdf', new Blob([new Uint8Array(readFileSync(`${FORM}/form.pdf`))]), 'form.pdf');
    form.append('doqlo_file', new Blob([new Uint8Array(readFileSync(sealed))]), 'form.doqlo');
    form.append('csv_file', new Blob([new Uint8Array(readFileSync(`${FORM}/rows.csv`))]), 'rows.csv');
    form.append('max_failed_row_percent', '0');
    const job = await call('/v1/bulkfill/export-jobs', keys.bulkfill, form);
    if (job.status !== 'completed') throw new Error(`the job is ${String(job.status)}`);

    const emails = ['zoë@example.com', 'bo@example.com'];
    for (const email of emails)
      await call('/v1/subscribers', keys.subscribers, { email, name: `Näme of ${email}` });
    await call('/wms-ingest/v1/master/uoms', keys.ingest, { items: [{ source_id: 'EA', name: 'Stück' }] });
    return { account: 'Ünï & Co', keys, job: job.job_id, emails, unit: { source_id: 'EA', name: 'Stück' } };
  } finally {
    await server.stop();
  }
}
