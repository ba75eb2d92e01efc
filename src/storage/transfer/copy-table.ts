import type { Readable, Transform, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from, to } from 'pg-copy-streams';
import type { TransferTable } from './list-tables.ts';

const target = ({ name, columns }: TransferTable) =>
  `public.${pg.escapeIdentifier(name)} (${columns.map(pg.escapeIdentifier).join(', ')})`;

/** Streams a table out in PostgreSQL's text format, which every version reads. Returns the number of rows. */
export async function copyTableOut(
  client: pg.ClientBase,
  table: TransferTable,
  ...sink: [...Transform[], Writable]
): Promise<number> {
  const stream = client.query(to(`copy ${target(table)} to stdout`));
  await pipeline([stream, ...sink]);
  return stream.rowCount;
}

export async function copyTableIn(
  client: pg.ClientBase,
  table: TransferTable,
  ...source: [Readable, ...Transform[]]
): Promise<number> {
  const stream = client.query(from(`copy ${target(table)} from stdin`));
  await pipeline([...source, stream]);
  return stream.rowCount;
}
