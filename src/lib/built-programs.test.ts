import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { fileMark, unchangedPrograms } from './built-programs.ts';

const folder = mkdtempSync(join(tmpdir(), 'rowpress-programs-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function listed(inputs: Record<string, readonly [number, number]>): Record<string, string> {
  const file = join(folder, 'programs.json');
  writeFileSync(file, JSON.stringify({ programs: { 'src/a.ts': 'a.js' }, inputs }));
  return unchangedPrograms(file);
}

describe('built programs', () => {
  const [size, changed] = fileMark('package.json');

  it('all inputs unchanged: the bundles are used', () => {
    expect(listed({ 'package.json': [size, changed] })).toEqual({ 'src/a.ts': 'a.js' });
  });

  it('an input with another size or time, or a missing one: the sources are used', () => {
    expect(listed({ 'package.json': [size + 1, changed] })).toEqual({});
    expect(listed({ 'package.json': [size, changed - 1] })).toEqual({});
    expect(listed({ 'package.json': [size, changed], 'src/gone.ts': [1, 1] })).toEqual({});
  });

  it('a missing or broken list: the sources are used', () => {
    expect(unchangedPrograms(join(folder, 'none.json'))).toEqual({});
    writeFileSync(join(folder, 'broken.json'), '{"programs":');
    expect(unchangedPrograms(join(folder, 'broken.json'))).toEqual({});
  });
});
