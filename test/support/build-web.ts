import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Builds the web app and the documentation before the first browser test of a run if their sources have changed. */
export default function setup(): void {
  for (const name of ['build-docs', 'build-web']) {
    const script = fileURLToPath(new URL(`../../scripts/${name}.ts`, import.meta.url));
    const { status } = spawnSync(process.execPath, [script], { stdio: ['ignore', 'ignore', 'inherit'] });
    if (status !== 0) throw new Error(`${name} failed: exit ${status}`);
  }
}
