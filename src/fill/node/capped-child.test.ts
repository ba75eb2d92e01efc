import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { getPriority } from 'node:os';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CappedChild, type ChildCaps } from './capped-child.ts';
import { familyOf } from './resident-bytes.ts';
import { currentSandbox } from './sandbox/current.ts';

const SCRIPT = new URL('../../../test/support/children/misbehave.ts', import.meta.url);
const CAPS: ChildCaps = { maxRssBytes: 400_000_000, maxMs: 20_000, maxOutputBytes: 1_000_000 };

const ask = (what: string, caps: Partial<ChildCaps> = {}) =>
  new CappedChild(SCRIPT, CAPS.maxRssBytes).ask([new TextEncoder().encode(what)], { ...CAPS, ...caps });

/** Returns the id of the child's Node process once it has its threads, below those of the sandbox. */
function nodeOf({ pid = 0 }: CappedChild): number | undefined {
  return familyOf(pid).find((member) => tasksOf(member).length > 4);
}

function prioritiesOf({ pid = 0 }: CappedChild): number[] {
  return [
    ...new Set(
      familyOf(pid)
        .flatMap(tasksOf)
        .map((task) => getPriority(task)),
    ),
  ];
}

function tasksOf(pid: number): number[] {
  return existsSync(`/proc/${pid}/task`) ? readdirSync(`/proc/${pid}/task`).map(Number) : [];
}

describe('the capped child', () => {
  it('[FILL53] a request: answered by pipe, in an empty environment', async () => {
    const outcome = await ask('echo hello');
    expect(outcome).toMatchObject({ ok: true });
    const told = JSON.parse(outcome.ok ? outcome.output.toString('utf8') : '{}');
    expect(told).toEqual({ env: [], argument: 'hello' });
  });

  it('[FILL53] a child beyond the time limit: killed', async () => {
    expect(await ask('spin', { maxMs: 800 })).toMatchObject({ ok: false, reason: 'time' });
  });

  it.runIf(process.platform === 'linux')(
    '[LIM53] a child that sleeps: ended before its time limit',
    async () => {
      expect(await ask('sleep', { maxAsleepMs: 1500 })).toMatchObject({ ok: false, reason: 'asleep' });
      expect(await ask('spin', { maxMs: 3000, maxAsleepMs: 1500 })).toMatchObject({
        ok: false,
        reason: 'time',
      });
    },
  );

  it('[FILL53] a child that allocates too much memory outside the heap: killed', async () => {
    expect(await ask('eat', { maxRssBytes: 250_000_000 })).toMatchObject({ ok: false, reason: 'memory' });
  });

  it('[FILL53] a full heap: reported as too much memory, not as a crash', async () => {
    const child = new CappedChild(SCRIPT, 100_000_000);
    expect(await child.ask([Buffer.from('hoard')], CAPS)).toMatchObject({ ok: false, reason: 'memory' });
  });

  it.runIf(process.platform === 'linux')(
    '[LIM52] a child that yields, before or after it has started: every thread has a lower priority',
    async () => {
      const early = new CappedChild(SCRIPT, CAPS.maxRssBytes);
      early.yieldToOthers();
      const late = new CappedChild(SCRIPT, CAPS.maxRssBytes);
      onTestFinished(async () => {
        await Promise.all([early.dismiss(), late.dismiss()]);
      });
      await expect.poll(() => nodeOf(late), { timeout: 20_000 }).toBeDefined();
      expect(prioritiesOf(late)).toEqual([0]);
      late.yieldToOthers();
      await expect.poll(() => prioritiesOf(late)).toEqual([5]);
      await expect.poll(() => nodeOf(early), { timeout: 20_000 }).toBeDefined();
      await expect.poll(() => prioritiesOf(early)).toEqual([5]);
      // Systems that group sessions compare the groups instead.
      const group = `/proc/${nodeOf(early)}/autogroup`;
      if (existsSync(group)) expect(readFileSync(group, 'utf8')).toMatch(/nice 5$/m);
    },
  );

  it('[LIM22] a caller that aborts before or during its request: the process ends', async () => {
    const question = [Buffer.from('spin')];
    const left = new CappedChild(SCRIPT, CAPS.maxRssBytes);
    await left.ask(question, { ...CAPS, maxMs: 600_000 }, AbortSignal.abort());
    expect(left.hasEnded).toBe(true);
    const leaving = new CappedChild(SCRIPT, CAPS.maxRssBytes);
    const gone = new AbortController();
    const asked = leaving.ask(question, { ...CAPS, maxMs: 600_000 }, gone.signal);
    setImmediate(() => gone.abort());
    await asked;
    expect(leaving.hasEnded).toBe(true);
  });

  it('[FILL53] a child beyond the output limit: killed', async () => {
    expect(await ask('chatter')).toMatchObject({ ok: false, reason: 'output' });
  });

  it('[FILL53] a crashed child: returned as a value, not thrown', async () => {
    const outcome = await ask('crash');
    expect(outcome).toMatchObject({ ok: false, reason: 'crash' });
    expect(outcome.ok ? '' : outcome.detail).toContain('as told');
  });

  it('[FILL53] a child: cannot write, start a process, or reach the network if namespaces are permitted', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const outcome = await ask(`trespass ${port}`);
    server.close();
    const told = JSON.parse(outcome.ok ? outcome.output.toString('utf8') : '{}');
    expect(told).toMatchObject({ write: 'ERR_ACCESS_DENIED', spawn: 'ERR_ACCESS_DENIED' });
    // If namespaces are not permitted, the network is reachable (SECURITY.md).
    const isCutOff = currentSandbox().layers.namespaces;
    expect(told.network === 'done').toBe(!isCutOff);
  });

  it('[SBX8] a killed launcher whose child holds the pipes open: both end', async () => {
    const launch = {
      command: '/bin/sh',
      args: ['-c', 'sleep 600 & wait'],
      descriptors: [],
      started: () => undefined,
      ended: () => undefined,
    };
    const sandbox = { launch: () => launch };
    const child = new CappedChild(SCRIPT, CAPS.maxRssBytes, { sandbox });
    const outcome = await child.ask([], { ...CAPS, maxMs: 300 });
    expect(outcome).toMatchObject({ ok: false, reason: 'time' });
    expect(child.hasEnded).toBe(true);
  });

  it('a child without a request: can be dismissed', async () => {
    const child = new CappedChild(SCRIPT, CAPS.maxRssBytes);
    await expect(child.dismiss()).resolves.toBeUndefined();
  });
});
