import { spawnSync } from 'node:child_process';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { letterPdf, nameLayout, seal, startBulkfillServer } from '../support/bulkfill-server.ts';
import { CLIENT, folderWith, hasPython, PYTHON, runPython } from '../support/python.ts';
import { guideProgram, judgeReceiver, startGuideReceiver } from '../support/webhook-guide.ts';
import { authority, certificate } from '../support/webhooks.ts';

const python = { PYTHONPATH: CLIENT, PYTHONDONTWRITEBYTECODE: '1' };

async function written(file: string, program: string) {
  const files = await folderWith({ [file]: guideProgram(program) });
  onTestFinished(files.remove);
  return { folder: files.path, path: join(files.path, file) };
}

const hasGo = spawnSync('go', ['version']).status === 0;

// .ci/run installs Go, so it must not be missing there.
test.skipIf(!hasGo && process.env.JUDGES !== 'required')(
  "[SDK67] the guide's receiver in Go: accepts only genuine deliveries, and counts an event once",
  async () => {
    const { folder, path } = await written('receiver.go', 'receiver-go');
    await judgeReceiver('go', ['run', path], { GOCACHE: join(folder, 'cache'), GO111MODULE: 'off' });
  },
);

describe.skipIf(!hasPython)('the webhook guide', () => {
  test("[SDK67] the guide's receiver in Python: accepts only genuine deliveries, and counts an event once", async () => {
    const { path } = await written('receiver.py', 'receiver-python');
    await judgeReceiver(PYTHON, [path], python);
  });

  test("[SDK67] the guide's programs: register with all surfaces, receive their events, and rotate the secrets", async () => {
    const server = await startBulkfillServer(
      { ROWPRESS_WEBHOOK_ALLOW: 'hooks.test' },
      { webhookCa: authority.ca, resolve: async () => ['127.0.0.1'] },
    );
    onTestFinished(() => server.stop());
    const front = await startTlsFront();
    const env = {
      ROWPRESS_URL: server.url,
      WEBHOOK_URL: front.url,
      WEBHOOK_SECRET: 'the-secret-of-the-jobs',
      BULKFILL_KEY: (await server.account()).key,
      SUBSCRIBERS_KEY: (await server.account({ surface: 'subscribers' })).key,
      INGEST_KEY: (await server.account({ surface: 'ingest' })).key,
    };
    const files = await folderWith({
      'form.pdf': letterPdf,
      'form.doqlo': await seal(nameLayout, letterPdf),
      'rows.csv': 'Ada\n',
    });
    onTestFinished(files.remove);
    const run = async (code: string, args: readonly string[] = []) => {
      const { stdout, stderr } = await runPython(['-c', code, ...args], env, { cwd: files.path });
      expect(stderr).toBe('');
      return Object.fromEntries(
        stdout
          .trim()
          .split('\n')
          .map((line) => [line.split(' ')[0], line.split(' ')]),
      );
    };
    const receiver = await written('receiver.py', 'receiver-python');
    const receive = async (secrets: readonly (string | undefined)[]) => {
      const settings = { ...python, WEBHOOK_SECRETS: secrets.join(' ') };
      const started = await startGuideReceiver(PYTHON, [receiver.path], settings);
      front.target = started.url;
      return started;
    };

    const jobs = await receive([env.WEBHOOK_SECRET]);
    const made = await run(guideProgram('register'));
    expect(await jobs.line()).toBe('new event bulkfill.export_job.completed');
    jobs.stop();
    const old = [made.subscribers?.[2], made.ingest?.[2]];
    const first = await receive(old);
    await run(WORK);
    const both = ['new event export_job.completed', 'new event ingest.job.completed'];
    expect([await first.line(), await first.line()].sort()).toEqual(both);
    first.stop();

    const rotated = await run(guideProgram('rotate'), [made.subscribers?.[1] ?? '', made.ingest?.[1] ?? '']);
    const fresh = [rotated.subscribers?.[1], rotated.ingest?.[1]];
    expect(fresh).not.toEqual(old);
    for (const secrets of [old, fresh]) {
      const next = await receive(secrets);
      await run(WORK);
      expect([await next.line(), await next.line()].sort()).toEqual(both);
      next.stop();
    }
    expect(new Set(front.statuses)).toEqual(new Set([204]));
  });
});

const WORK = `
import os
from rowpress import Rowpress
Rowpress(os.environ["ROWPRESS_URL"], os.environ["SUBSCRIBERS_KEY"]).subscribers.export_and_wait()
Rowpress(os.environ["ROWPRESS_URL"], os.environ["INGEST_KEY"]).ingest.bulk_and_wait("master/uoms", [{"source_id": "EA", "name": "Each"}])
`;

/** The TLS proxy in front of a receiver. */
async function startTlsFront() {
  const front = { url: '', target: '', statuses: [] as number[] };
  const server = createServer(certificate, async (request, response) => {
    const body = await buffer(request);
    const headers = Object.fromEntries(
      Object.entries(request.headers).filter(
        ([name]) => !/^(host|connection|content-length|accept-encoding)$/.test(name),
      ),
    ) as Record<string, string>;
    const path = request.url ?? '';
    const { status } = await fetch(front.target + path, {
      method: 'POST',
      headers,
      body: new Uint8Array(body),
    });
    front.statuses.push(status);
    response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.closeAllConnections());
  onTestFinished(() => void server.close());
  front.url = `https://hooks.test:${(server.address() as AddressInfo).port}`;
  return front;
}
