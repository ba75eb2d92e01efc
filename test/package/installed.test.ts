import { readdirSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openBrowser } from '../support/web-page.ts';
import { InstalledPackage } from './installed-package.ts';

/**
 * The npm package as `npm install` leaves it in an empty folder. `.ci/run` packs and installs it, and names the folder and the
 * Node programs to run it with.
 */
const FOLDER = process.env.ROWPRESS_INSTALLED ?? '';
const NODES = (process.env.ROWPRESS_NODES ?? '').split(' ').filter((path) => path !== '');
const EXAMPLE = 'examples/01-fill-a-form';

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'rowpress-filled-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

async function expectFills(installed: InstalledPackage, file?: string): Promise<void> {
  const output = file ?? join(await temporaryFolder(), 'out.zip');
  const { stderr } = await installed.run([
    ...['fill', '--pdf', `${EXAMPLE}/form.pdf`, '--layout', `${EXAMPLE}/layout.json`],
    ...['--rows', `${EXAMPLE}/rows.csv`, '-o', output],
  ]);
  expect(stderr).toContain('3 of 3 rows');
  expect(Object.keys(unzipSync(await readFile(output)))).toHaveLength(4);
}

describe.skipIf(FOLDER === '')('the installed package', () => {
  it('[OPS11] its files: compiled code and no tests or sources', () => {
    const root = join(FOLDER, 'node_modules/rowpress');
    const names = readdirSync(root, { recursive: true, encoding: 'utf8' });
    expect(
      names.filter((name) => /\.test\.|^(test|bench|src|examples|docs\/screenshots)\b/.test(name)),
    ).toEqual([]);
    expect(names).toContain('dist/main.d.ts');
    expect(names).toContain('web/dist/index.html');
    expect(names).toContain('build/docs/index.html');
    expect(NODES.length).toBeGreaterThan(0);
  });

  it.each(NODES)('[OPS11] with %s: fills a form from the command line', async (node) => {
    await expectFills(new InstalledPackage(join(FOLDER, 'node_modules/.bin/rowpress'), node));
  });

  it.each(NODES)('[OPS79] with %s: verifies an archive and calls a server', async (node) => {
    const installed = new InstalledPackage(join(FOLDER, 'node_modules/.bin/rowpress'), node);
    const output = join(await temporaryFolder(), 'out.zip');
    await expectFills(installed, output);
    expect((await installed.run(['verify', output])).stdout).toContain('3 PDFs of 3 rows');
    const nobody = { ROWPRESS_SERVER: 'http://127.0.0.1:1', ROWPRESS_API_KEY: 'unused' };
    const failed = await installed
      .run(['jobs', 'list', '--retries', '0', '--json'], nobody)
      .catch((error) => error);
    expect(JSON.parse(failed.stdout)).toMatchObject({ code: 'CONNECTION_FAILED' });
  });

  it('[OPS44] dependencies below the package, as in a global installation: fills a form', async () => {
    const folder = await temporaryFolder();
    const installed = join(FOLDER, 'node_modules/rowpress');
    const cache = join(installed, 'node_modules');
    await cp(installed, folder, { recursive: true, filter: (path) => path !== cache });
    await symlink(join(FOLDER, 'node_modules'), join(folder, 'node_modules'));
    await expectFills(new InstalledPackage(join(folder, 'bin/rowpress'), NODES[0] ?? ''));
  });

  it.each(NODES)('[OPS11] with %s: serves, signs in, runs the sample and gives out the ZIP', async (node) => {
    const server = await new InstalledPackage(join(FOLDER, 'node_modules/.bin/rowpress'), node).serve();
    onTestFinished(() => server.stop());
    const browser = await openBrowser(server.url);
    onTestFinished(() => browser.close());
    const page = await browser.context.newPage();
    await page.goto(server.signInLink);
    await page.getByRole('button', { name: 'Try the sample' }).click();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    const link = page.getByRole('link', { name: /Download ZIP/ });
    await link.waitFor();
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
    const entries = Object.keys(unzipSync(await readFile(await download.path())));
    expect(entries.filter((name) => name.endsWith('.pdf'))).toHaveLength(5);
  });
});
