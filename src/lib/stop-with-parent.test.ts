import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';

/** A server below a shell, as npm starts it. The second command keeps the shell from replacing itself with the first. */
function startBelowShell() {
  const lib = new URL('./', import.meta.url).href;
  const program = `
    import { createLogger } from '${lib}logger.ts';
    import { stopOnSignal } from '${lib}stop-on-signal.ts';
    import { stopWithParent } from '${lib}stop-with-parent.ts';
    setInterval(() => {}, 1000);
    stopOnSignal(createLogger({ level: 'fatal', pretty: false }), 20_000, async () => {
      await new Promise((done) => setTimeout(done, 2000));
      console.log('closed');
    });
    stopWithParent();
    console.log(process.pid);`;
  const shell = spawn('sh', ['-c', '"$NODE" --input-type=module -e "$PROGRAM"; exit'], {
    env: { ...process.env, NODE: process.execPath, PROGRAM: program },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  onTestFinished(() => {
    try {
      process.kill(-(shell.pid ?? 0), 'SIGKILL');
    } catch {} // The group has ended.
  });
  return { shell, lines: createInterface({ input: shell.stdout })[Symbol.asyncIterator]() };
}

test('[HTTP90] the shell of npm ends: the server below it shuts down in order', async () => {
  const { shell, lines } = startBelowShell();
  await lines.next();
  shell.kill('SIGTERM');
  expect(await lines.next()).toMatchObject({ value: 'closed' });
  expect(await lines.next()).toMatchObject({ done: true });
});

test('[HTTP90] the shell and the server get the signal: the end of the shell is not a second signal', async () => {
  const { shell, lines } = startBelowShell();
  await lines.next();
  process.kill(-(shell.pid ?? 0), 'SIGTERM');
  expect(await lines.next()).toMatchObject({ value: 'closed' });
});
