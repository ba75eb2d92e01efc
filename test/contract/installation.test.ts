import { execFile } from 'node:child_process';
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { startBulkfillServer } from '../support/bulkfill-server.ts';
import { ROWPRESS } from '../support/cli.ts';

const run = promisify(execFile);

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'rowpress-installed-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

test('[OPS12] a Node that is too old: one line names both versions', async () => {
  const folder = await emptyFolder();
  for (const name of ['bin', 'dist/cli', 'path']) await mkdir(join(folder, name), { recursive: true });
  await copyFile(ROWPRESS, join(folder, 'bin/rowpress'));
  await writeFile(join(folder, 'dist/cli/main.js'), 'process.exit(9)');
  const old = '#!/bin/sh\ncase $1 in --version) echo v20.20.2 ;; *) exit 1 ;; esac\n';
  await writeFile(join(folder, 'path/node'), old);
  await chmod(join(folder, 'path/node'), 0o755);
  const PATH = `${join(folder, 'path')}:/usr/bin:/bin`;
  const failed = await run(join(folder, 'bin/rowpress'), ['serve'], { env: { PATH } }).catch(
    (error) => error,
  );
  expect(failed).toMatchObject({
    code: 1,
    stdout: '',
    stderr: 'rowpress: Rowpress needs Node 22.18 or newer; this is v20.20.2.\n',
  });
});

test('[OPS100] an install or a start with a Node that is too old: the same line, and no stack trace', async () => {
  const manifest = JSON.parse(await readFile(join(ROWPRESS, '../../package.json'), 'utf8'));
  // npm puts the pinned Node first only if the development packages are installed.
  const pretend = `data:text/javascript,Object.defineProperties(process, { version: { value: 'v20.20.2' }, versions: { value: { node: '20.20.2' } } })`;
  for (const name of ['prepare', 'prestart', 'build']) {
    const [, script = ''] = /^node (\S+) && /.exec(manifest.scripts[name]) ?? [];
    const args = ['--import', pretend, join(ROWPRESS, '../..', script)];
    expect(await run(process.execPath, args).catch((error) => error)).toMatchObject({
      code: 1,
      stderr: 'rowpress: Rowpress needs Node 22.18 or newer; this is v20.20.2.\n',
    });
  }
});

test('[OPS13] a web app that is not built: the server runs and makes no sign-in link', async () => {
  const server = await startBulkfillServer({}, { webRoot: join(await emptyFolder(), 'missing') });
  onTestFinished(() => server.stop());
  expect([server.hasWebApp, server.signInLink]).toEqual([false, undefined]);
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  expect(await (await fetch(server.url)).text()).toContain('npm run build');
});
