import { execFile } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type BulkfillServer,
  letterPdf,
  nameLayout,
  seal,
  startBulkfillServer,
} from '../support/bulkfill-server.ts';
import { compilerOptions, programs } from './programs.ts';

/** A temporary folder with the generators, which `.ci/run` installs. */
const INSTALLED = process.env.ROWPRESS_GENERATORS ?? '';
const DOCUMENT = resolve('docs/openapi.json');
const run = promisify(execFile);

let server: BulkfillServer;
let dir: string;
let inputs: string[];
const program = (name: string) => join(INSTALLED, 'node_modules/.bin', name);

beforeAll(async () => {
  // Below the generators: one of them looks for a tsconfig next to itself first.
  dir = join(INSTALLED, 'clients');
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, 'package.json'), '{ "type": "module" }');
  const include = ['*.ts', 'hey-api'];
  for (const folder of [dir, INSTALLED])
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include }));
  for (const [name, text] of Object.entries(programs)) writeFileSync(join(dir, `use-${name}.ts`), text);
  await run(program('openapi-typescript'), [DOCUMENT, '-o', 'openapi-typescript.ts'], { cwd: dir });
  await run(program('openapi-ts'), ['-i', DOCUMENT, '-o', 'hey-api', '-c', '@hey-api/client-fetch'], {
    cwd: dir,
  });

  server = await startBulkfillServer();
  const key = async (surface: 'bulkfill' | 'ingest') => (await server.account({ surface })).key;
  mkdirSync(join(dir, 'inputs'), { recursive: true });
  const [pdf, layout] = [join(dir, 'inputs/letter.pdf'), join(dir, 'inputs/letter.doqlo')];
  writeFileSync(pdf, letterPdf);
  writeFileSync(layout, await seal(nameLayout, letterPdf));
  inputs = [server.url, await key('bulkfill'), await key('ingest'), pdf, layout];
});
afterAll(async () => {
  await server?.stop();
  rmSync(dir, { recursive: true, force: true });
});

test('[HTTP66] the code of both generators: compiles without errors in strict mode', async () => {
  const compiled = run(program('tsc'), ['-p', dir]).catch(({ stdout }: { stdout: string }) => ({ stdout }));
  expect((await compiled).stdout).toBe('');
});

test.each(Object.keys(programs))(
  '[HTTP66] a client of %s: creates a job, reads its status and an error, and sends an item',
  async (name) => {
    const { stdout } = await run(process.execPath, [join(dir, `out/use-${name}.js`), ...inputs]);
    expect(JSON.parse(stdout)).toEqual({
      status: 'completed',
      code: 'EXPORT_JOB_NOT_FOUND',
      accepted: 1,
      wrong: 'SKU-1',
    });
  },
);
