/**
 * Measures how much one account that keeps all readers busy slows down another: the time of a small create of account B
 * (a new PDF, ten rows, POST until completed) while account A always has eight creates with the largest allowed
 * workbook running, against the same create on an idle server. The idle server is measured before and after, because
 * the machine may have other load.
 *
 *   node bench/fairness/run.ts [creates]
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { workbook } from '../../test/support/workbook.ts';
import { LAYOUT, makeSource, rowCells, SOURCES } from '../fill/make-sources.ts';

const ROWPRESS = fileURLToPath(new URL('../../bin/rowpress', import.meta.url));
const ATTACKS_AT_ONCE = 8;
/** Just below the default of ROWPRESS_XLSX_MAX_SHEET_BYTES. */
const SHEET_ROWS = 19_800;
const SHEET_COLUMNS = 26;
const creates = Number(process.argv[2] ?? 15);
const dir = mkdtempSync(join(tmpdir(), 'rp-bench-'));
chmodSync(dir, 0o755);
const file = (name: string) => join(dir, name);
const env = {
  PATH: process.env.PATH ?? '',
  HOST: '127.0.0.1',
  PORT: '0',
  LOG_LEVEL: 'error',
  ROWPRESS_DATA_DIR: file('data'),
  ROWPRESS_SYNC_WAIT_MS: '600000',
  ROWPRESS_BULKFILL_CREATE_PER_MINUTE: '0',
  // Otherwise the attack would be paused on a slow machine.
  ROWPRESS_COOLDOWN_FAILED_JOBS: '0',
  ROWPRESS_COOLDOWN_RATIO_JOBS: '0',
};
const rowpress = (...args: string[]) => execFileSync(ROWPRESS, args, { env, encoding: 'utf8' });

const source = makeSource(SOURCES.A);
writeFileSync(file('a.pdf'), source);
writeFileSync(file('layout.json'), JSON.stringify(LAYOUT));
rowpress('layout', 'seal', '--layout', file('layout.json'), '--pdf', file('a.pdf'), '-o', file('a.doqlo'));
const sealed = readFileSync(file('a.doqlo'));
const csv = Array.from({ length: 10 }, (_, row) =>
  rowCells(row)
    .map((cell) => `"${cell}"`)
    .join(','),
).join('\n');
const largest = workbook(
  Array.from({ length: SHEET_ROWS }, (_, row) =>
    Array.from({ length: SHEET_COLUMNS }, (_, column) => ({ n: row * 1000 + column, as: '#,##0.00' })),
  ),
);

const server = spawn(ROWPRESS, ['serve'], { env, detached: true, stdio: ['ignore', 'ignore', 'pipe'] });
try {
  const url = await new Promise<string>((resolve) => {
    server.stderr.on('data', (said: Buffer) => {
      const ready = /ready at (\S+)/.exec(String(said))?.[1];
      if (ready !== undefined) resolve(ready);
    });
  });
  const keyOf = (account: string): string =>
    JSON.parse(rowpress('keys', 'create', '--surface', 'bulkfill', '--account', account, '--json')).key;
  const [attacker, other] = [keyOf('a'), keyOf('b')];

  const post = async (key: string, pdf: Uint8Array, rows: [name: string, bytes: Uint8Array]) => {
    const form = new FormData();
    const blob = (bytes: Uint8Array) => new Blob([bytes as Uint8Array<ArrayBuffer>]);
    form.append('pdf', blob(pdf), 'a.pdf');
    form.append('doqlo_file', blob(sealed), 'a.doqlo');
    form.append(rows[0], blob(rows[1]), rows[0]);
    form.append('max_failed_row_percent', '0');
    const headers = { authorization: `Bearer ${key}`, 'idempotency-key': crypto.randomUUID() };
    const response = await fetch(`${url}/v1/bulkfill/export-jobs`, { method: 'POST', body: form, headers });
    return { status: response.status, text: await response.text() };
  };

  /** A different PDF each time, so that a reader is needed: the same pages with another comment at the end. */
  let pdfs = 0;
  const smallCreates = async (): Promise<number[]> => {
    const times: number[] = [];
    for (let i = 0; i < creates; i += 1) {
      pdfs += 1;
      const pdf = Buffer.concat([source, Buffer.from(`\n%${pdfs}\n`)]);
      const started = performance.now();
      const { status, text } = await post(other, pdf, ['csv_file', Buffer.from(csv)]);
      if (status !== 200) throw new Error(`the small create returned ${status} ${text}`);
      times.push(performance.now() - started);
    }
    return times;
  };

  await smallCreates();
  const before = await smallCreates();
  let attacking = true;
  const attacks: Record<string, number> = {};
  // The PDF is rejected after the workbook was read, so that no job of A runs.
  const attack = async () => {
    while (attacking) {
      const { status, text } = await post(attacker, Buffer.from('not a PDF'), ['rows_file', largest]);
      const answer = `${status} ${(JSON.parse(text) as { message: string }).message}`;
      attacks[answer] = (attacks[answer] ?? 0) + 1;
    }
  };
  const attackers = Array.from({ length: ATTACKS_AT_ONCE }, attack);
  // One workbook has been read and the queue of readers is full.
  while (Object.keys(attacks).length === 0) await new Promise((resolve) => setTimeout(resolve, 50));
  const during = await smallCreates();
  attacking = false;
  await Promise.all(attackers);
  const after = await smallCreates();

  const idle = median([...before, ...after]);
  const report = {
    cores: availableParallelism(),
    node: process.version,
    small_creates: creates,
    workbook: `${SHEET_ROWS} x ${SHEET_COLUMNS} cells, ${(largest.length / 1e6).toFixed(1)} MB packed`,
    attacks_by_answer: attacks,
    idle_ms: { before: Math.round(median(before)), after: Math.round(median(after)) },
    attacked_ms: { median: Math.round(median(during)), slowest: Math.round(Math.max(...during)) },
    attacked_over_idle: round(median(during) / idle),
    slowest_over_idle: round(Math.max(...during) / idle),
  };
  console.log(JSON.stringify(report, null, 2));
} finally {
  server.kill('SIGTERM');
  await once(server, 'exit');
  rmSync(dir, { recursive: true, force: true });
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
