import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { CappedChild, type ChildCaps } from './capped-child.ts';
import { currentSandbox } from './sandbox/current.ts';

const SCRIPT = new URL('../../../test/support/children/misbehave.ts', import.meta.url);
const CAPS: ChildCaps = { maxRssBytes: 400_000_000, maxMs: 20_000, maxOutputBytes: 1_000_000 };

const ask = (what: string, caps: Partial<ChildCaps> = {}) =>
  new CappedChild(SCRIPT, CAPS.maxRssBytes).ask([new TextEncoder().encode(what)], { ...CAPS, ...caps });

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

  it('[FILL53] a child that allocates too much memory outside the heap: killed', async () => {
    expect(await ask('eat', { maxRssBytes: 250_000_000 })).toMatchObject({ ok: false, reason: 'memory' });
  });

  it('[FILL53] a full heap: reported as too much memory, not as a crash', async () => {
    const child = new CappedChild(SCRIPT, 100_000_000);
    expect(await child.ask([Buffer.from('hoard')], CAPS)).toMatchObject({ ok: false, reason: 'memory' });
  });

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
