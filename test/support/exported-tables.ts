import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rowpressJson } from './cli.ts';

/** Contents of every table by name, as `rowpress export` writes them: one line per row. */
export async function exportedTables(env: Readonly<Record<string, string>>): Promise<Map<string, string>> {
  const parent = await mkdtemp(join(tmpdir(), 'rowpress-tables-'));
  try {
    const directory = join(parent, 'export');
    await rowpressJson(['export', directory], { ...env });
    const tables = join(directory, 'tables');
    const names = (await readdir(tables)).filter((name) => name.endsWith('.copy'));
    return new Map(
      await Promise.all(
        names.map(
          async (name): Promise<[string, string]> => [
            name.slice(0, -'.copy'.length),
            await readFile(join(tables, name), 'utf8'),
          ],
        ),
      ),
    );
  } finally {
    await rm(parent, { recursive: true, force: true });
  }
}

/** Names of the tables that contain this text, as text or as bytes. */
export function tablesThatStore(tables: ReadonlyMap<string, string>, text: string): string[] {
  const bytes = Buffer.from(text);
  const forms = [text, bytes.toString('hex'), bytes.toString('base64').replace(/=+$/, '')];
  return [...tables].filter(([, rows]) => forms.some((form) => rows.includes(form))).map(([name]) => name);
}
