import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { rowpress } from '../support/cli.ts';

/** Asks bash for the completions of a line whose last word is unfinished. */
const ASK = `
source /dev/fd/3
for line in "$@"; do
  IFS='|' read -ra COMP_WORDS <<< "$line|"
  COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
  _rowpress
  echo "\${COMPREPLY[*]}"
done
`;

async function completions(script: string, lines: readonly string[]): Promise<string[]> {
  const wrapped = `exec 3< <(printf '%s' "$SCRIPT"); ${ASK}`;
  const { stdout } = await promisify(execFile)('bash', ['-u', '-c', wrapped, 'bash', ...lines], {
    env: { PATH: process.env.PATH ?? '', SCRIPT: script },
  });
  return stdout.split('\n').slice(0, -1);
}

test('[OPS80] the script for bash: completes commands, options and their values', async () => {
  const { code, stdout } = await rowpress(['completion', 'bash']);
  expect(code).toBe(0);
  const asked = {
    'rowpress|k': 'keys',
    'rowpress|jobs|': 'list show cancel retry',
    'rowpress|keys|create|--surf': '--surface',
    'rowpress|keys|create|--surface|': 'bulkfill subscribers ingest',
    'rowpress|submit|--match-columns|l': 'label',
    'rowpress|jobs|retry|some-id|--w': '--wait',
    'rowpress|completion|': 'bash zsh fish',
    // No words: bash completes the names of files.
    'rowpress|fill|--pdf|': '',
    'rowpress|verify|': '',
  };
  expect(await completions(stdout, Object.keys(asked))).toEqual(Object.values(asked));
});

test('[OPS80] every command of the help: is in the script of each shell', async () => {
  const help = await rowpress(['--help']);
  const names = [...help.stdout.matchAll(/^ {2}([a-z-]+) /gm)].map(([, name = '']) => name);
  expect(names.length).toBeGreaterThan(15);
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { stdout } = await rowpress(['completion', shell]);
    expect(names.filter((name) => name !== 'help' && !stdout.includes(`' ${name}'`))).toEqual([]);
  }
  expect((await rowpress(['completion', 'tcsh'])).code).toBe(2);
});
