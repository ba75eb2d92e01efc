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

  it('are used while everything they were made from is as it was', () => {
    expect(listed({ 'package.json': [size, changed] })).toEqual({ 'src/a.ts': 'a.js' });
  });

  it('are left alone once a file has another size or time, or is gone', () => {
    expect(listed({ 'package.json': [size + 1, changed] })).toEqual({});
    expect(listed({ 'package.json': [size, changed - 1] })).toEqual({});
    expect(listed({ 'package.json': [size, changed], 'src/gone.ts': [1, 1] })).toEqual({});
  });

  it('are left alone when the list is missing or broken', () => {
    expect(unchangedPrograms(join(folder, 'none.json'))).toEqual({});
    writeFileSync(join(folder, 'broken.json'), '{"programs":');
    expect(unchangedPrograms(join(folder, 'broken.json'))).toEqual({});
  });
});
