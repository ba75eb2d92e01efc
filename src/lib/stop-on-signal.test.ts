import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';

/** A process that prints "ready" and runs `stop` on a signal. */
async function start(stop: string, afterwards = '') {
  const lib = new URL('./', import.meta.url).href;
  const program = `
    import { createLogger } from '${lib}logger.ts';
    import { stopOnSignal } from '${lib}stop-on-signal.ts';
    setInterval(() => {}, 1000);
    stopOnSignal(createLogger({ level: 'info', pretty: false }), 20_000, async () => { ${stop} });
    console.log('ready');
    ${afterwards}`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const exited = once(child, 'exit');
  const said = async (text: string) => {
    for (let line = await lines.next(); line.done !== true; line = await lines.next())
      if (line.value.includes(text)) return;
    throw new Error(`the process ended without saying ${text}`);
  };
  return { child, said, exited };
}

test('[HTTP20] a signal: runs stop and exits with 0', async () => {
  const { child, said, exited } = await start(`console.log('closing')`);
  await said('ready');
  child.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
});

test('[HTTP20] a second signal: exits at once', async () => {
  const { child, said, exited } = await start(`console.log('closing'); await new Promise(() => {});`);
  await said('ready');
  child.kill('SIGTERM');
  await said('closing');
  child.kill('SIGTERM');
  expect(await exited).toEqual([1, null]);
});

test('[HTTP20] an uncaught error: stops the process with exit code 1', async () => {
  const { said, exited } = await start(
    `console.log('closing')`,
    `setImmediate(() => { throw new Error('bug: x'); });`,
  );
  await said('closing');
  expect(await exited).toEqual([1, null]);
});
