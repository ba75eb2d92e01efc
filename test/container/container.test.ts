import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { resolve } from 'node:path';
import { unzipSync } from 'fflate';
import { describe, expect, it, onTestFinished } from 'vitest';
import { proportionalBytes } from '../support/process-memory.ts';
import { CAN_RUN, Container, createVolume } from './container.ts';

/** The image of the Dockerfile, which `.ci/image` builds, run with podman. */
const EXAMPLE = resolve('examples/01-fill-a-form');
const IDLE_BYTES = 300_000_000;

/** A port that is free now. The container shares the machine's network, because not every machine can create another one. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  await new Promise((done) => server.close(done));
  if (address === null || typeof address === 'string') throw new Error('bug: no port');
  return address.port;
}

async function createJob(url: string, key: string, sealed: Uint8Array): Promise<Response> {
  const blob = (bytes: Uint8Array) => new Blob([bytes as Uint8Array<ArrayBuffer>]);
  const form = new FormData();
  form.append('pdf', blob(await readFile(`${EXAMPLE}/form.pdf`)), 'form.pdf');
  form.append('doqlo_file', blob(sealed), 'form.doqlo');
  form.append('csv_file', blob(await readFile(`${EXAMPLE}/rows.csv`)), 'rows.csv');
  form.append('max_failed_row_percent', '0');
  const headers = { authorization: `Bearer ${key}`, 'idempotency-key': 'container-1' };
  return fetch(`${url}/v1/bulkfill/export-jobs`, { method: 'POST', body: form, headers });
}

describe.skipIf(!CAN_RUN)('the image', () => {
  it('[OPS40] [OPS41] [OPS42] [OPS43] [OPS45] a read-only container: runs a job, stops cleanly and keeps it for the next start', async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    onTestFinished(await createVolume('rowpress-test'));
    const container = await Container.start('rowpress-test', [
      ...['--network', 'host', '--env', `PORT=${port}`, '--env', 'HOST=127.0.0.1'],
      ...['--volume', 'rowpress-test:/data', '--volume', `${EXAMPLE}:/example:ro`],
    ]);
    onTestFinished(() => container.remove());
    await container.healthy();

    expect(await container.run('id', '-u')).toBe('10001');
    await expect(container.run('touch', '/opt/rowpress/file')).rejects.toThrow('Read-only file system');
    expect(await container.logs()).toContain(`/sign-in#`);
    expect(await (await fetch(url)).text()).toContain('<script type="module"');

    // After a minute, when the memory of the start and the waiting reader are gone.
    const idle = async () => proportionalBytes(await container.processes());
    await expect.poll(idle, { timeout: 180_000, interval: 1000 }).toBeLessThan(IDLE_BYTES);
    expect((await container.processes()).length).toBeGreaterThan(5);

    const key = await container.run(
      'rowpress',
      'keys',
      'create',
      '--surface',
      'bulkfill',
      '--account',
      'demo',
    );
    const seal =
      'rowpress layout seal --layout /example/layout.json --pdf /example/form.pdf -o /tmp/form.doqlo';
    const sealed = await container.run('sh', '-c', `${seal} >&2 && base64 -w 0 /tmp/form.doqlo`);
    const created = await createJob(url, key, Buffer.from(sealed, 'base64'));
    expect(created.status).toBeLessThan(300);
    const job = (await created.json()) as { job_id: string; status: string };
    const read = async (path = '') =>
      fetch(`${url}/v1/bulkfill/export-jobs/${job.job_id}${path}`, {
        headers: { authorization: `Bearer ${key}` },
      });
    await expect
      .poll(async () => (await (await read()).json()) as unknown, { timeout: 60_000 })
      .toMatchObject({ status: 'completed' });

    const before = await container.processes();
    expect(await container.stop()).toBe(0);
    expect(await container.logs()).toContain('"msg":"stopped"');
    expect(proportionalBytes(before)).toBe(0);

    await container.startAgain();
    await container.healthy();
    const zip = await read('/download');
    expect(zip.status).toBe(200);
    const names = Object.keys(unzipSync(new Uint8Array(await zip.arrayBuffer())));
    expect(names.filter((name) => name.endsWith('.pdf'))).toHaveLength(3);
    const log = await container.run('cat', '/data/postgres/postgres.log');
    expect(log).not.toContain('was not properly shut down');
    expect(log).toContain('database system is shut down');
  });
});
