import { writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';

export interface Results {
  readonly items: number;
  readonly serverFlags: readonly string[];
  /** Load average over a minute, before and after. */
  readonly load: readonly [before: number, after: number];
  readonly rows: readonly string[];
}

export function readLoad(): number {
  return loadavg()[0] ?? 0;
}

/** Writes docs/bench/ingest.md from the figures of one run. */
export function writePage({ items, serverFlags, load, rows }: Results): void {
  const [before, after] = load.map((value) => value.toFixed(1));
  const page = `# Bench: ingest

\`node bench/ingest/run.ts [items] [--write]\` compares the surface with the bare database in the same run, on the same
embedded PostgreSQL 18 (fsync on).

- **Bare:** sorted rows, encoded before the clock starts, are copied (COPY) to a temporary table. They are merged, with the same
  version guard, into a table of key, version and item, without internal ids, history or results.
- **Rowpress:** the server is a separate process, reached over HTTP. The time runs from the first byte of the upload to
  \`COMPLETED\`, so it includes the upload, validation, reference checks, internal ids and per-item results.

${new Date().toISOString().slice(0, 10)}, ${items.toLocaleString('en')} items, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GB, Node.js ${process.versions.node}. The server was started with \`${serverFlags.join(' ')}\`, as \`bin/rowpress\`
does. The load average was ${before} before and ${after} after the run; the run itself is part of the latter.

| | bare | Rowpress | ratio |
|---|---|---|---|
${rows.join('\n')}

## Where the time goes

A slice of 10,000 new items costs the database about as much as a bare one, although it stores more. 100,000 rows, alternating with the
bare side on a busy machine, took 1.5 to 2.5 s against 1.5 to 3.2 s. If none of the items is stored yet, they are copied straight into
their table. Only replays and updates need a staging table and the guard.

While the database processes one slice, the server reads, validates and sorts the next one. The results of a slice are stored as one
compressed value. What remains is the upload, the preparation of the first slice, and the few statements between two slices.

Half of the bare side runs before the surface's side and half after it. Other work on the machine can still affect one side more than the
other.
`;
  writeFileSync(fileURLToPath(new URL('../../docs/bench/ingest.md', import.meta.url)), page);
}
