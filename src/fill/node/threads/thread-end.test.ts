import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const urlOf = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);

/** Simulates a last message that arrives while the thread is being ended. */
const LEAVES_EARLY = `
  const { FillThreads } = await import(${urlOf('./fill-threads.ts')});
  const { runRows } = await import(${urlOf('./run-rows.ts')});
  const { openFill } = await import(${urlOf('../open-fill.ts')});
  const { pagesPdf } = await import(${urlOf('../../../../test/support/page-sources.ts')});
  const { planOf } = await import(${urlOf('../../../../test/support/prepared.ts')});
  const threads = new FillThreads(0, { maxOldGenerationSizeMb: 512 });
  threads.start(1);
  const plan = planOf({});
  const opened = await openFill(pagesPdf([{}]), plan);
  for await (const piece of runRows(opened.fill, plan, [[new Map()]], { threads, maxCellChars: 10_000 })) break;
  await threads.close();
  console.log('ended');`;

test('[FILL1] a run abandoned after its first piece: the process waits until its threads have ended', async () => {
  const run = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', LEAVES_EARLY]);
  expect(run.stdout).toBe('ended\n');
});
