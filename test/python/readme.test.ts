import { readFileSync } from 'node:fs';
import { copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BulkfillServer, seal, startBulkfillServer } from '../support/bulkfill-server.ts';
import { openArchive } from '../support/fill-cli.ts';
import { CLIENT, folderWith, hasPython, runPython } from '../support/python.ts';

const readme = readFileSync(join(CLIENT, 'README.md'), 'utf8');
const form = join(import.meta.dirname, '../../examples/01-fill-a-form');

/** The programs of the README, run as they are printed there. */
function program(name: string): string {
  const marked = new RegExp(`<!-- run: ${name} -->\\s+\`\`\`python\n(?<code>[\\s\\S]*?)\`\`\``);
  const code = marked.exec(readme)?.groups?.code;
  if (code === undefined) throw new Error(`the README has no program "${name}"`);
  return code;
}

describe.skipIf(!hasPython)('the README of the Python client', () => {
  let server: BulkfillServer;
  let files: Awaited<ReturnType<typeof folderWith>>;
  beforeAll(async () => {
    server = await startBulkfillServer();
    const pdf = await readFile(join(form, 'form.pdf'));
    const layout = JSON.parse(await readFile(join(form, 'layout.json'), 'utf8'));
    files = await folderWith({
      'form.pdf': pdf,
      'form.doqlo': await seal(layout, pdf),
      'people.csv': 'Email,Name\nada@example.com,Ada\nnobody,X\n',
    });
    await copyFile(join(form, 'rows.csv'), join(files.path, 'rows.csv'));
  });
  afterAll(async () => {
    await server.stop();
    await files.remove();
  });

  async function run(name: string, surface: string): Promise<string> {
    const { key } = await server.account({ surface });
    const env = { ROWPRESS_URL: server.url, ROWPRESS_API_KEY: key };
    const options = { cwd: files.path };
    const { stdout, stderr, code } = await runPython(['-c', program(`${name} ${surface}`)], env, options);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return stdout;
  }

  test('[SDK66] the quick start: ends with the ZIP on disk', async () => {
    expect(await run('quick-start', 'bulkfill')).toBe('out.zip\n');
    const { manifest } = openArchive(await readFile(join(files.path, 'out.zip')));
    expect(manifest.summary).toMatchObject({ success_rows: 3 });
    const listed = await runPython(['-m', 'zipfile', '-l', 'out.zip'], {}, { cwd: files.path });
    expect(listed.stdout).toContain('row_3');
  });

  test('[SDK66] the import: counts the rows and writes the failed ones and the export', async () => {
    expect(await run('subscribers', 'subscribers')).toBe('1 imported, 1 failed\n');
    expect(await readFile(join(files.path, 'failed.csv'), 'utf8')).toContain('nobody');
    expect(await readFile(join(files.path, 'active.csv'), 'utf8')).toContain('ada@example.com,Ada');
  });

  test('[SDK66] the push: lists the quarantined items', async () => {
    const lines = (await run('ingest', 'ingest')).trim().split('\n');
    expect(lines[0]).toContain("'accepted': 1");
    expect(lines[1]).toContain("'quarantined': 3");
    expect(lines.slice(2).sort()).toEqual(
      ['B-0', 'B-1', 'B-2'].map((id) => `${id} base_uom: no active item "KG" in master/uoms`),
    );
  });
});
