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
  version guard, into a table of key, version and item, without internal ids, history or results. For the bulk update, the rows with a
  lower version are first copied to a history table with one index, then updated.
- **Rowpress:** the server is a separate process, reached over HTTP. The time runs from the first byte of the upload to
  \`COMPLETED\`, so it includes the upload, validation, reference checks, internal ids and per-item results. The client polls every 20 ms.

${new Date().toISOString().slice(0, 10)}, ${items.toLocaleString('en')} items, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GB, Node.js ${process.versions.node}. The server was started with \`${serverFlags.join(' ')}\`, as \`bin/rowpress\`
does. The load average was ${before} before and ${after} after the run; the run itself is part of the latter.

| | bare | Rowpress | ratio |
|---|---|---|---|
${rows.join('\n')}

## Where the time goes

A slice of 10,000 new items costs the database about as much as a bare one, although it stores more. If none of the items is stored
yet, they are copied straight into their table. Only replays and updates need the guard. Requests of 200 or more items do the same.

While the database processes one slice, the server reads, validates and sorts the next one. The first slice holds 1,000 items and the next
ones twice as many, up to 10,000, because nothing overlaps with the first. It is prepared while the load is accepted. The results of a slice are
stored as one compressed value. What remains is the upload, the wait for the disk at the acceptance and at the end, and the
statements between two slices.

The first load of a server takes longer than later ones, because its code is not compiled yet. The median of 9 shows a running server.

Processor time does not depend on other work as elapsed time does. Both sides alternated, 2026-11-18, load average 12 to 23:

| | PostgreSQL, bare | PostgreSQL, Rowpress | server |
|---|---|---|---|
| request of 1,000 new items, before it used COPY | 12 ms | 20 ms | 23 ms |
| request of 1,000 new items | 12 ms | 15 ms | 19 ms |
| one updated item of a bulk load | 12 to 14 µs | 25 to 28 µs | 17 to 25 µs |

PostgreSQL's share of the last row includes the client's polls and autovacuum. The statements of an update alone take 17 to 19 µs per
item, and the bare ones 16 to 17 µs.
[0209](../decisions/0209-full-pages-of-items.md) says why the pages of items are filled completely.

Half of the bare side runs before the surface's side and half after it. Other work on the machine can still affect one side more than the
other.
`;
  writeFileSync(fileURLToPath(new URL('../../docs/bench/ingest.md', import.meta.url)), page);
}
