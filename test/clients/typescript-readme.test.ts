import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { letterPdf, nameLayout, seal, startBulkfillServer } from '../support/bulkfill-server.ts';
import { openArchive } from '../support/fill-cli.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');

test('[SDK19] the programs of the README: compile, and the quick start leaves the ZIP on disk', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rowpress-client-readme-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const readme = await readFile(join(root, 'clients/typescript/README.md'), 'utf8');
  const programs = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = '']) => code);
  expect(programs.length).toBeGreaterThan(5);
  // The sources stand in for the built package.
  const source = join(root, 'clients/typescript/src/rowpress.ts');
  const code = (text: string) => text.replaceAll("'@rowpress/client'", `'${source}'`);
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  const known = `import { Rowpress } from '${source}';
declare const rp: Rowpress, pdf: string, doqlo: string, jobId: string, signal: AbortSignal, onProgress: () => void;
declare const input: Parameters<Rowpress['bulkfill']['create']>[0], idempotencyKey: string;
declare function readMyItems(): AsyncIterable<object>;
export {};\n`;
  for (const [index, text] of programs.entries()) {
    const declared = /import \{ Rowpress \}|new Rowpress/.test(text);
    const head =
      declared && !/import \{ Rowpress \}/.test(text) ? `import { Rowpress } from '${source}';\n` : '';
    await writeFile(join(folder, `${index}.ts`), declared ? `${head}${code(text)}` : `${known}${code(text)}`);
  }
  const options = {
    extends: join(root, 'tsconfig.json'),
    include: ['*.ts'],
    compilerOptions: { noUnusedLocals: false },
  };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(options));
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const compiled = await run(process.execPath, [compiler, '--noEmit', '-p', folder]).catch((error) => error);
  expect(compiled.stdout).toBe('');

  const server = await startBulkfillServer();
  onTestFinished(() => server.stop());
  const { key } = await server.account();
  await writeFile(join(folder, 'form.pdf'), letterPdf);
  await writeFile(join(folder, 'form.doqlo'), await seal(nameLayout, letterPdf));
  const quickStart = code(programs[0] ?? '').replace('http://127.0.0.1:8080', server.url);
  await writeFile(join(folder, 'start.ts'), quickStart);
  const env = { PATH: process.env.PATH, ROWPRESS_API_KEY: key };
  const { stdout } = await run(process.execPath, ['start.ts'], { cwd: folder, env });
  expect(stdout).toMatch(/^out\.zip: \d+ bytes, 2 documents verified\n$/);
  expect(openArchive(await readFile(join(folder, 'out.zip'))).manifest.summary).toMatchObject({
    success_rows: 2,
  });
});
