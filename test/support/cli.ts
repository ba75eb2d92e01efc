import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { DatabaseAddress } from '#storage/database.ts';

export const ROWPRESS = fileURLToPath(new URL('../../bin/rowpress', import.meta.url));

export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command line as a user would; PATH is the only inherited environment variable. */
export async function rowpress(
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<CliResult> {
  const child = spawn(ROWPRESS, args, {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  return { code, stdout, stderr };
}

/** Runs a command that must succeed and print one JSON object. */
export async function rowpressJson<T>(args: readonly string[], env: Record<string, string> = {}): Promise<T> {
  const { code, stdout, stderr } = await rowpress([...args, '--json'], env);
  if (code !== 0) throw new Error(`exit ${code}: ${stderr}`);
  return JSON.parse(stdout);
}

export function databaseUrl(address: DatabaseAddress): string {
  if ('url' in address) return address.url;
  const login = address.password === undefined ? address.user : `${address.user}:${address.password}`;
  return `postgresql://${login}@localhost/${address.database}?host=${encodeURIComponent(address.host)}`;
}
