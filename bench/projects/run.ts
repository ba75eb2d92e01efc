/**
 * Measures creates of one row over HTTP, POST until completed, alternately in one run:
 *   form       multipart with the PDF and the package of source A
 *   by_label   the same with `match_columns=label`
 *   project    JSON with a stored project, rows by label
 *
 *   node bench/projects/run.ts [rounds]
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LAYOUT, makeSource, rowCells, SOURCES } from '../fill/make-sources.ts';

const ROWPRESS = fileURLToPath(new URL('../../bin/rowpress', import.meta.url));
const rounds = Number(process.argv[2] ?? 200);
const dir = mkdtempSync(join(tmpdir(), 'rp-bench-'));
chmodSync(dir, 0o755);
const file = (name: string) => join(dir, name);
const env = {
  PATH: process.env.PATH ?? '',
  HOST: '127.0.0.1',
  PORT: '0',
  LOG_LEVEL: 'error',
  ROWPRESS_DATA_DIR: file('data'),
  ROWPRESS_BULKFILL_CREATE_PER_MINUTE: '0',
};
const rowpress = (...args: string[]) => execFileSync(ROWPRESS, args, { env, encoding: 'utf8' });
const columns = rowCells(0).map((_, index) => ({ key: `column_${index}`, label: `Label ${index}` }));
writeFileSync(file('a.pdf'), makeSource(SOURCES.A));
writeFileSync(file('layout.json'), JSON.stringify({ ...LAYOUT, columns }));
rowpress('layout', 'seal', '--layout', file('layout.json'), '--pdf', file('a.pdf'), '-o', file('a.doqlo'));

const server = spawn(ROWPRESS, ['serve'], { env, detached: true, stdio: ['ignore', 'ignore', 'pipe'] });
try {
  const url = await new Promise<string>((resolve) => {
    server.stderr.on('data', (said: Buffer) => {
      const ready = /ready at (\S+)/.exec(String(said))?.[1];
      if (ready !== undefined) resolve(ready);
    });
  });
  const order = ['keys', 'create', '--surface', 'bulkfill', '--account', 'bench', '--json'];
  const { key } = JSON.parse(rowpress(...order)) as { key: string };
  const pdf = new Blob([readFileSync(file('a.pdf'))]);
  const sealed = new Blob([readFileSync(file('a.doqlo'))]);
  const send = async (path: string, tag: string, body: NonNullable<RequestInit['body']>, type?: string) => {
    const headers = {
      authorization: `Bearer ${key}`,
      'idempotency-key': tag,
      ...(type && { 'content-type': type }),
    };
    const started = performance.now();
    const response = await fetch(`${url}/v1/bulkfill${path}`, { method: 'POST', body, headers });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
    return performance.now() - started;
  };
  const files = (parts: Readonly<Record<string, string>>) => {
    const form = new FormData();
    form.append('pdf', pdf, 'a.pdf');
    form.append('doqlo_file', sealed, 'a.doqlo');
    for (const [name, value] of Object.entries(parts)) form.append(name, value);
    return form;
  };
  await send('/projects', 'project', files({ name: 'A' }));

  const rowOf = (row: number) =>
    Object.fromEntries(rowCells(row).map((cell, index) => [columns[index]?.label, cell]));
  const positional = (row: number) =>
    Object.fromEntries(rowCells(row).map((cell, index) => [`column_${index}`, cell]));
  const ways = {
    form: (row: number) =>
      files({ rows_json: JSON.stringify([positional(row)]), max_failed_row_percent: '0' }),
    by_label: (row: number) =>
      files({ rows_json: JSON.stringify([rowOf(row)]), max_failed_row_percent: '0', match_columns: 'label' }),
    project: (row: number) => JSON.stringify({ project: 'A', rows: [rowOf(row)], max_failed_row_percent: 0 }),
  };
  const times: Record<string, number[]> = { form: [], by_label: [], project: [] };
  let row = 0;
  for (let round = -10; round < rounds; round += 1)
    for (const [name, bodyOf] of Object.entries(ways)) {
      row += 1;
      const body = bodyOf(row);
      const type = typeof body === 'string' ? 'application/json' : undefined;
      const ms = await send('/export-jobs', `row-${row}`, body, type);
      if (round >= 0) times[name]?.push(ms);
    }
  const at = (name: string, share: number) =>
    (times[name] ?? []).toSorted((a, b) => a - b)[Math.floor(rounds * share)] ?? 0;
  const round = (value: number) => Math.round(value * 100) / 100;
  const report = {
    rounds,
    node: process.version,
    median_ms: Object.fromEntries(Object.keys(ways).map((name) => [name, round(at(name, 0.5))])),
    p95_ms: Object.fromEntries(Object.keys(ways).map((name) => [name, round(at(name, 0.95))])),
    project_over_form: round(at('project', 0.5) / at('form', 0.5)),
    project_over_by_label: round(at('project', 0.5) / at('by_label', 0.5)),
  };
  console.log(JSON.stringify(report, null, 2));
} finally {
  server.kill('SIGTERM');
  await once(server, 'exit');
  rmSync(dir, { recursive: true, force: true });
}
