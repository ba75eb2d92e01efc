/**
 * Measures what a create over HTTP costs the API process and PostgreSQL in processor time. No worker runs, so nothing
 * else is counted.
 *
 *   node bench/engine/http-creates.ts [creates of each kind]
 */
import { execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cpuSeconds } from '../capacity/cpu-time.ts';
import { LAYOUT, makeSource, rowCells, SOURCES } from '../fill/make-sources.ts';

const ROWPRESS = fileURLToPath(new URL('../../bin/rowpress', import.meta.url));
const CREATES = Number(process.argv[2] ?? 400);
const CLIENTS = 4;
const ROUNDS = 2;

const dir = mkdtempSync(join(tmpdir(), 'rp-bench-'));
chmodSync(dir, 0o755);
const file = (name: string) => join(dir, name);
const env = {
  PATH: process.env.PATH ?? '',
  HOST: '127.0.0.1',
  PORT: '0',
  LOG_LEVEL: 'error',
  ROWPRESS_ROLE: 'api',
  ROWPRESS_DATA_DIR: file('data'),
  ROWPRESS_BULKFILL_CREATE_PER_MINUTE: '0',
};
// The database's user must be able to reach its files.
mkdirSync(file('data'), { mode: 0o711 });
const rowpress = (...args: string[]) => execFileSync(ROWPRESS, args, { env, encoding: 'utf8' });
const keyOf = (surface: string) =>
  (
    JSON.parse(rowpress('keys', 'create', '--surface', surface, '--account', 'bench', '--json')) as {
      key: string;
    }
  ).key;

writeFileSync(file('a.pdf'), makeSource(SOURCES.A));
writeFileSync(file('layout.json'), JSON.stringify(LAYOUT));
rowpress('layout', 'seal', '--layout', file('layout.json'), '--pdf', file('a.pdf'), '-o', file('a.doqlo'));
const pdf = new Blob([readFileSync(file('a.pdf'))]);
const sealed = new Blob([readFileSync(file('a.doqlo'))]);
const server = spawn(ROWPRESS, ['serve'], { env, detached: true, stdio: ['ignore', 'ignore', 'pipe'] });
try {
  const url = await new Promise<string>((resolve) => {
    server.stderr.on('data', (said: Buffer) => {
      const ready = /ready at (\S+)/.exec(String(said))?.[1];
      if (ready !== undefined) resolve(ready);
    });
  });
  const keys = { bulkfill: keyOf('bulkfill'), subscribers: keyOf('subscribers') };
  let next = 0;
  const send = async (path: string, key: string, body: FormData | string) => {
    const headers = {
      authorization: `Bearer ${key}`,
      'idempotency-key': randomUUID(),
      prefer: 'wait=0',
      ...(typeof body === 'string' && { 'content-type': 'application/json' }),
    };
    const response = await fetch(url + path, { method: 'POST', body, headers });
    const text = await response.text();
    if (response.status !== 202) throw new Error(`${response.status}: ${text}`);
  };
  const kinds: readonly (readonly [string, () => Promise<void>])[] = [
    [
      'Bulk Fill job of one row, multipart',
      () => {
        const form = new FormData();
        form.append('pdf', pdf, 'a.pdf');
        form.append('doqlo_file', sealed, 'a.doqlo');
        form.append(
          'csv_file',
          new Blob([
            rowCells(next++)
              .map((cell) => `"${cell}"`)
              .join(','),
          ]),
          'rows.csv',
        );
        form.append('max_failed_row_percent', '0');
        return send('/v1/bulkfill/export-jobs', keys.bulkfill, form);
      },
    ],
    [
      'subscriber import of one row',
      () =>
        send(
          '/v1/jobs/subscriber-imports',
          keys.subscribers,
          JSON.stringify({
            csv_text: `email\nperson${next++}@example.com\n`,
            mappings: [{ csv_column: 'email', field: { type: 'email' } }],
          }),
        ),
    ],
  ];
  const results = new Map<string, { node: number; database: number }[]>();
  for (let round = 0; round <= ROUNDS; round += 1)
    for (const [name, create] of kinds) {
      const before = cpuSeconds(server.pid ?? 0, file('data'));
      let left = CREATES;
      await Promise.all(
        Array.from({ length: CLIENTS }, async () => {
          while (left-- > 0) await create();
        }),
      );
      const after = cpuSeconds(server.pid ?? 0, file('data'));
      // The first round warms up.
      if (round === 0) continue;
      const cost = (of: 'node' | 'database') => ((after[of] - before[of]) * 1000) / CREATES;
      results.set(name, [...(results.get(name) ?? []), { node: cost('node'), database: cost('database') }]);
    }
  console.log(`${CLIENTS} clients, load average ${loadavg()[0]?.toFixed(1)}\n`);
  console.log('| a create over HTTP | API process | PostgreSQL |\n|---|---|---|');
  for (const [name, costs] of results) {
    const range = (of: 'node' | 'database') => costs.map((cost) => cost[of].toFixed(1)).join(' and ');
    console.log(`| ${name} | ${range('node')} ms | ${range('database')} ms |`);
  }
} finally {
  server.kill('SIGTERM');
  await once(server, 'exit');
  rmSync(dir, { recursive: true, force: true });
}
