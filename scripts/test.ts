/**
 * `npm test`: types, lint, then every suite that needs only npm packages. Stops at the first step that fails. `.ci/run`
 * adds the suites that need programs of the operating system.
 */
import { spawnSync } from 'node:child_process';

const steps: [name: string, command: string, args: string[]][] = [
  ['types', 'tsc', ['--noEmit']],
  ['types of the web app', 'tsc', ['--noEmit', '-p', 'web']],
  ['types of the client', 'tsc', ['--noEmit', '-p', 'clients/typescript']],
  ['lint and format', 'biome', ['check', '--error-on-warnings', '.']],
  [
    'tests',
    'vitest',
    [
      'run',
      '--project=unit',
      '--project=architecture',
      '--project=contract',
      '--project=crash',
      '--project=fuzz',
      '--project=clients',
      '--project=web',
      ...process.argv.slice(2),
    ],
  ],
];

for (const [name, command, args] of steps) {
  console.error(`— ${name}`);
  const { status } = spawnSync(command, args, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
