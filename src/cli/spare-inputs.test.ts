import { linkSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { spareInputs } from './spare-inputs.ts';

const folder = mkdtempSync(join(tmpdir(), 'rowpress-spare-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string) => join(folder, name);
writeFileSync(at('rows.csv'), 'a\n');
symlinkSync(at('rows.csv'), at('soft'));
linkSync(at('rows.csv'), at('hard'));

test.each([
  ['the input itself', 'rows.csv'],
  ['another way of writing it', './rows.csv'],
  ['a link to it', 'soft'],
  ['another name of it', 'hard'],
])('[OPS10] refuses to write to %s', async (_, output) => {
  expect(await spareInputs([at('rows.csv')], [`${folder}/${output}`])).toEqual({
    code: 'USAGE',
    message: `${folder}/${output} cannot be written: ${at('rows.csv')} is read by the same command`,
  });
});

test('[OPS10] two outputs in one file: rejected; different outputs: accepted', async () => {
  const twice = await spareInputs([at('rows.csv')], [at('out'), `${folder}/x/../out`]);
  expect(twice?.message).toBe(
    `${folder}/x/../out cannot be written: ${at('out')} is written by the same command`,
  );
  expect(await spareInputs([at('rows.csv')], [at('out'), undefined, at('other')])).toBeNull();
  expect(await spareInputs(['-', '/dev/null'], ['-', '/dev/null', '/dev/null'])).toBeNull();
  expect((await spareInputs([], ['-', '-']))?.code).toBe('USAGE');
});
