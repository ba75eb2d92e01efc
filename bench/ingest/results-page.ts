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

/** docs/bench/ingest.md, from one run. */
export function writePage({ items, serverFlags, load, rows }: Results): void {
  const [before, after] = load.map((value) => value.toFixed(1));
  const page = `# Bench: ingest

\`node bench/ingest/run.ts [items] [--write]\` measures the surface against the bare database in the same run, on the
same embedded PostgreSQL 18 (fsync on). The bare side sends sorted rows, encoded before the clock starts, by COPY to a
temporary table and merges them with the same version guard into a table of key, version and item, without internal ids,
history or results. The surface's side is a process of its own, reached over HTTP; its time runs from the first byte of
the upload to \`COMPLETED\`, so upload, validation, reference checks, internal ids and per-item results are in it.

${new Date().toISOString().slice(0, 10)}, ${items.toLocaleString('en')} items, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GB, Node.js ${process.versions.node}, server started with
\`${serverFlags.join(' ')}\` as \`bin/rowpress\` does; load average ${before} before and ${after} after the run, which is a load itself.

| | bare | Rowpress | ratio |
|---|---|---|---|
${rows.join('\n')}

Where the time goes: a slice of 10,000 new items costs the database about as much as a bare one (100,000 rows in turns, on
a busy machine: 1.5 to 2.5 s against 1.5 to 3.2 s), although it keeps more, because items of which none is stored are copied straight into their table; a staging table and the guard are
needed only where something is stored already (replays and updates). While the database works on one slice the next one is read,
validated and ordered. Results are kept as one compressed value a slice. What is left is the upload, the first slice's
preparation, and the few statements between two slices. Half of the bare side
runs before the surface's and half after it; other work on the machine still falls on them unevenly.
`;
  writeFileSync(fileURLToPath(new URL('../../docs/bench/ingest.md', import.meta.url)), page);
}
