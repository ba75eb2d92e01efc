import { execFileSync } from 'node:child_process';
import { appendFileSync, createWriteStream, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openRowFile, type RowFile } from './row-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'rowpress-rows-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const READING = { csvHeader: false, cellValues: 'shown' } as const;
/** Too many to be kept in memory from the first reading. */
const MANY = 20_001;
const csv = Array.from({ length: MANY }, (_, index) => `Ann ${index},${index % 7}\n`).join('');

async function cellsOf(rows: RowFile): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const batch of rows.batches()) for (const row of batch) all.push([...row]);
  return all;
}

function fileOf(content: string): string {
  const file = join(folder, 'rows.csv');
  writeFileSync(file, content);
  return file;
}

describe('[FILL24] a large rows file', () => {
  it('as a pipe, which can be read only once: accepted', async () => {
    const expected = await cellsOf(await openRowFile(fileOf(csv), READING));
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    createWriteStream(pipe).end(csv);
    const rows = await openRowFile(pipe, READING);
    expect(rows.count).toBe(MANY);
    const cells = await cellsOf(rows);
    expect(cells).toHaveLength(MANY);
    expect(cells).toEqual(expected);
    expect(await cellsOf(rows)).toEqual(expected);
  });

  it.each([
    ['grows', (file: string) => appendFileSync(file, 'one more\n'), `had ${MANY} rows, then ${MANY + 1}`],
    [
      'shrinks',
      (file: string) => truncateSync(file, csv.lastIndexOf('Ann')),
      `had ${MANY} rows, then ${MANY - 1}`,
    ],
    ['is emptied', (file: string) => truncateSync(file), 'There are no rows to fill.'],
    ['breaks', (file: string) => appendFileSync(file, '"open'), /quote/i],
    ['goes away', (file: string) => rmSync(file), 'no such file or folder'],
  ])('that %s while it is read is refused', async (_, change, complaint) => {
    const file = fileOf(csv);
    const rows = await openRowFile(file, READING);
    change(file);
    await expect(cellsOf(rows)).rejects.toMatchObject({
      name: 'Error',
      refusal: { code: expect.any(String), message: expect.stringMatching(complaint) },
    });
  });
});
