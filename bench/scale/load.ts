import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { from } from 'pg-copy-streams';
import type { Database } from '#storage/database.ts';
import { type Sizes, type Table, tablesOf } from './rows.ts';

/** Rows per chunk of the stream. */
const CHUNK = 2_000;

/** Loads the tables by COPY and analyzes them. Foreign keys and triggers are not checked: the rows agree. */
export async function load({ pool }: Database, sizes: Sizes, now: Date): Promise<void> {
  const client = await pool.connect();
  try {
    for (const table of tablesOf(sizes, now)) {
      const started = performance.now();
      const target = client.query(from(`copy ${table.name} (${table.columns.join(', ')}) from stdin`));
      await pipeline(Readable.from(linesOf(table)), target);
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      console.error(`loaded ${table.count.toLocaleString('en')} ${table.name} in ${seconds} s`);
    }
    await client.query('vacuum (analyze)');
    await client.query('checkpoint').catch(() => {});
  } finally {
    client.release();
  }
}

/** COPY's text format: tabs between values, \N for null. */
function* linesOf({ count, row }: Table): Generator<string> {
  for (let start = 0; start < count; start += CHUNK) {
    let chunk = '';
    for (let i = start; i < Math.min(count, start + CHUNK); i += 1)
      chunk += `${row(i)
        .map((value) => (value === null ? '\\N' : String(value)))
        .join('\t')}\n`;
    yield chunk;
  }
}
