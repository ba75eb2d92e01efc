import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Builds the web app before the first browser test of a run if its sources have changed since the last build. */
export default function setup(): void {
  const script = fileURLToPath(new URL('../../scripts/build-web.ts', import.meta.url));
  const { status } = spawnSync(process.execPath, [script], { stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error(`the web app could not be built: exit ${status}`);
}
