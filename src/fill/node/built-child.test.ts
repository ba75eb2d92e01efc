import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { programOf } from '#lib/built-programs.ts';
import { formPdf } from '../../../test/support/form-source.ts';
import { planOf } from '../../../test/support/prepared.ts';
import { CappedChild } from './capped-child.ts';
import { DEFAULT_PARSE_LIMITS, prepareInChild } from './prepare-in-child.ts';

const plan = planOf({
  overlays: [
    { id: 'a', type: 'text', page: 1, x: 72, y: 72, width: 300, height: 20, value: { column: 'column_0' } },
  ],
});

it('[FILL1] the built reader and the reader run from source: prepare the same base', async () => {
  const build = fileURLToPath(new URL('../../../scripts/build-programs.ts', import.meta.url));
  expect(spawnSync(process.execPath, [build], { stdio: 'ignore' }).status).toBe(0);
  const source = new URL('./prepare-child.ts', import.meta.url);
  const built = programOf('src/fill/node/prepare-child.ts');
  expect(built.pathname).toMatch(/\/build\/programs\/prepare-child\.js$/);
  const prepare = (program: URL) =>
    prepareInChild(
      formPdf(),
      plan,
      DEFAULT_PARSE_LIMITS,
      new CappedChild(program, DEFAULT_PARSE_LIMITS.maxRssBytes),
    );
  const [fromSource, fromBuild] = [await prepare(source), await prepare(built)];
  expect(fromSource.ok).toBe(true);
  expect(fromBuild).toEqual(fromSource);
});
