import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { type ClientRequest, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { letterPdf, nameLayout, SEAL_KEY, seal } from '../support/bulkfill-server.ts';
import { rowpressJson } from '../support/cli.ts';
import { ServerProcess } from '../support/server-process.ts';
import { workbook } from '../support/workbook.ts';

let folder: string;
let server: ServerProcess;
let keys: { readonly attacker: string; readonly other: string };
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rowpress-fairness-'));
  const env = {
    ROWPRESS_DATA_DIR: join(folder, 'data'),
    ROWPRESS_SEAL_KEY: Buffer.from(SEAL_KEY).toString('hex'),
    ROWPRESS_WORKERS: '2',
    // No deadline ends the attack: only the queue and the disconnect do.
    ROWPRESS_XLSX_TIMEOUT_MS: '3600000',
  };
  server = await ServerProcess.start(env);
  const keyOf = async (account: string) =>
    (
      await rowpressJson<{ key: string }>(
        ['keys', 'create', '--surface', 'bulkfill', '--account', account],
        env,
      )
    ).key;
  keys = { attacker: await keyOf('attacker'), other: await keyOf('other') };
});
afterAll(async () => {
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

/**
 * Freezes every process that reads a workbook as soon as it starts, so that reading never ends. Returns the processes seen
 * so far.
 */
function freezeReaders(): { readonly seen: ReadonlySet<number>; readonly stop: () => void } {
  const seen = new Set<number>();
  const freeze = () => {
    for (const pid of workbookReaders())
      if (!seen.has(pid)) {
        seen.add(pid);
        process.kill(pid, 'SIGSTOP');
      }
  };
  const timer = setInterval(freeze, 1);
  return { seen, stop: () => clearInterval(timer) };
}

/** Process ids of the server's workbook readers, by their command line. A zombie has no command line. */
function workbookReaders(): number[] {
  const children = readFileSync(`/proc/${server.pid}/task/${server.pid}/children`, 'utf8').trim();
  return children
    .split(' ')
    .filter(Boolean)
    .map(Number)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('workbook-child');
      } catch {
        return false;
      }
    });
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}

interface Sent {
  readonly outgoing: ClientRequest;
  readonly status: Promise<number | 'closed'>;
}

async function create(key: string, rows: readonly [name: string, bytes: Uint8Array]): Promise<Sent> {
  const form = new FormData();
  const file = (bytes: Uint8Array) => new Blob([bytes as Uint8Array<ArrayBuffer>]);
  form.append('pdf', file(letterPdf), 'letter.pdf');
  form.append('doqlo_file', file(await seal(nameLayout, letterPdf)), 'letter.doqlo');
  form.append('max_failed_row_percent', '0');
  form.append(rows[0], file(rows[1]), rows[0]);
  const body = new Response(form);
  const outgoing = request(`${server.url}/v1/bulkfill/export-jobs`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'idempotency-key': crypto.randomUUID(),
      'content-type': body.headers.get('content-type') ?? '',
    },
  });
  const status = new Promise<number | 'closed'>((resolve) => {
    outgoing.on('response', (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    outgoing.on('error', () => resolve('closed'));
  });
  outgoing.end(Buffer.from(await body.arrayBuffer()));
  return { outgoing, status };
}

test('[LIM20][LIM22] four workbooks of one account that are never read: others are served, and hanging up ends the readers', async () => {
  const readers = freezeReaders();
  try {
    const attack = await Promise.all(
      Array.from({ length: 4 }, (_, n) => create(keys.attacker, ['rows_file', workbook([[`Row ${n}`]])])),
    );
    let answered = 0;
    for (const { status } of attack) void status.then(() => (answered += 1));
    await until(() => readers.seen.size > 0);

    // The other account needs a reader for its PDF and a thread for its rows.
    const other = await create(keys.other, ['csv_file', Buffer.from('Ann\n')]);
    expect(await other.status).toBe(200);
    expect(answered).toBe(0);

    for (const { outgoing } of attack) outgoing.destroy();
    await until(() => workbookReaders().length === 0);

    // The readers are free again, for a workbook too. Two workbooks were queued, and their readers never started.
    readers.stop();
    const again = await create(keys.other, ['rows_file', workbook([['Ann']])]);
    expect(await again.status).toBe(200);
    expect(readers.seen.size).toBeLessThanOrEqual(2);
    expect(await jobsOf(keys.attacker)).toMatchObject({ data: [] });
  } finally {
    readers.stop();
  }
});

async function jobsOf(key: string): Promise<unknown> {
  const response = await fetch(`${server.url}/v1/bulkfill/export-jobs`, {
    headers: { authorization: `Bearer ${key}` },
  });
  return response.json();
}
