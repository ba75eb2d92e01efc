import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { missingJudges } from './judges.ts';

/** The system's own Python, regardless of any other in PATH. */
export const PYTHON = '/usr/bin/python3';
export const hasPython = missingJudges(PYTHON).length === 0;
export const CLIENT = fileURLToPath(new URL('../../clients/python/', import.meta.url));

export interface PythonResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs Python with the client on its path. It writes no bytecode into the sources. */
export function startPython(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  cwd = CLIENT,
) {
  return spawn(PYTHON, args, {
    cwd,
    env: { PATH: process.env.PATH ?? '', PYTHONPATH: CLIENT, PYTHONDONTWRITEBYTECODE: '1', ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

export async function runPython(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  { input = '', cwd = CLIENT } = {},
): Promise<PythonResult> {
  const child = startPython(args, env, cwd);
  child.stdin.end(input);
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  return { code, stdout, stderr };
}

/** Runs tests of clients/python/tests by their names. Fails with their output, and if a resource was not closed. */
export async function unittest(
  names: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  const { code, stderr } = await runPython(['-W', 'default', '-m', 'unittest', ...names], env);
  if (code !== 0 || stderr.includes('ResourceWarning') || !/^Ran [1-9]/m.test(stderr))
    throw new Error(`python3 -m unittest ${names.join(' ')} exits with ${code}:\n${stderr}`);
}

/** A temporary folder with files, deleted by `remove`. */
export async function folderWith(files: Readonly<Record<string, string | Uint8Array>>) {
  const path = await mkdtemp(join(tmpdir(), 'rowpress-python-'));
  for (const [name, content] of Object.entries(files)) await writeFile(join(path, name), content);
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}
