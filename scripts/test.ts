/**
 * `npm test`: types and lint beside each other, then every suite that needs only npm packages. Stops if a check fails.
 * `.ci/run` adds the suites that need programs of the operating system.
 */
import { execFile, spawnSync } from 'node:child_process';

// With more threads the compiler checks shared types once per thread. It collects garbage rarely, because it ends soon.
// The checks take 22 s of processor time this way and 33 s with the defaults.
const TYPES = ['--noEmit', '--singleThreaded'];
const env = { ...process.env, GOGC: '400' };

const CHECKS: readonly (readonly [name: string, command: string, args: readonly string[]])[] = [
  ['types', 'tsc', TYPES],
  ['types of the web app', 'tsc', [...TYPES, '-p', 'web']],
  ['types of the client', 'tsc', [...TYPES, '-p', 'clients/typescript']],
  ['lint and format', 'biome', ['check', '--error-on-warnings', '.']],
];

const PROJECTS = ['unit', 'unit-vite', 'architecture', 'contract', 'crash', 'fuzz', 'clients', 'web'];

/** Runs a command and prints its output in one piece when it ends. Returns whether it succeeded. */
function check([name, command, args]: (typeof CHECKS)[number]): Promise<boolean> {
  return new Promise((resolve) => {
    execFile(command, args, { env, maxBuffer: 100_000_000 }, (error, stdout, stderr) => {
      console.error(`— ${name}${error === null ? '' : `: failed (${error.code ?? error.signal})`}`);
      process.stderr.write(stdout + stderr);
      resolve(error === null);
    });
  });
}

const passed = await Promise.all(CHECKS.map(check));
if (passed.includes(false)) process.exit(1);
console.error('— tests');
const projects = PROJECTS.map((name) => `--project=${name}`);
const { status } = spawnSync('vitest', ['run', ...projects, ...process.argv.slice(2)], { stdio: 'inherit' });
process.exit(status ?? 1);
