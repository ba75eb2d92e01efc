import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { openOutput } from './output-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'rowpress-output-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const target = join(folder, 'out.zip');

/** Writes half of its file, reports it, and waits. */
const HALF_WAY = `
  const { openOutput } = await import(${JSON.stringify(new URL('./output-file.ts', import.meta.url).href)});
  const output = await openOutput(${JSON.stringify(target)});
  await output.write([new Uint8Array(1000)]);
  console.log('half');
  setInterval(() => {}, 1000);
`;

describe('[FILL24] an output', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'interrupted by %s: keeps the existing file and leaves nothing else',
    async (signal) => {
      writeFileSync(target, 'earlier');
      const child = spawn(process.execPath, ['--input-type=module', '-e', HALF_WAY]);
      onTestFinished(() => void child.kill('SIGKILL'));
      await once(child.stdout, 'data');
      expect(readdirSync(folder)).toHaveLength(2);
      child.kill(signal);
      expect(await once(child, 'exit')).toEqual([null, signal]);
      expect(readdirSync(folder)).toEqual(['out.zip']);
      expect(readFileSync(target, 'utf8')).toBe('earlier');
    },
  );

  it('through a link: replaces the target of the link', async () => {
    writeFileSync(target, 'earlier');
    const link = join(folder, 'latest.zip');
    symlinkSync('out.zip', link);
    const output = await openOutput(link);
    await output.write([Buffer.from('later')]);
    await output.finish();
    expect([readlinkSync(link), readFileSync(target, 'utf8')]).toEqual(['out.zip', 'later']);
    rmSync(link);
  });

  it('finished or abandoned: no longer handles signals', async () => {
    const before = process.listenerCount('SIGINT');
    const output = await openOutput(target);
    expect(process.listenerCount('SIGINT')).toBe(before + 1);
    await output.abandon();
    const other = await openOutput(target);
    await other.write([Buffer.from('later')]);
    await other.finish();
    expect(process.listenerCount('SIGINT')).toBe(before);
    expect(readFileSync(target, 'utf8')).toBe('later');
    expect(readdirSync(folder)).toEqual(['out.zip']);
  });
});
