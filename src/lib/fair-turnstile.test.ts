import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { FairTurnstile, type LineLimits, LineRefused, WorkAbandoned } from './fair-turnstile.ts';

/** A line whose pieces of work end when the test says so. */
function scene(limits: Partial<LineLimits> = {}) {
  const line = new FairTurnstile({ size: 2, maxWaitMs: 60_000, maxWaiting: 100, ...limits });
  const started: string[] = [];
  const ends = new Map<string, (error?: Error) => void>();
  const run = (name: string, signal = new AbortController().signal) =>
    line.run({ owner: name.slice(0, 1), signal }, (running) => {
      started.push(name);
      return new Promise<string>((resolve, reject) => {
        running.addEventListener('abort', () => reject(new Error('killed')), { once: true });
        ends.set(name, (error) => (error === undefined ? resolve(name) : reject(error)));
      });
    });
  const end = async (name: string, error?: Error) => {
    ends.get(name)?.(error);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { started, run, end };
}

const settled = (promises: Promise<string>[]) => void Promise.allSettled(promises);

describe('FairTurnstile', () => {
  test('[LIM20] one owner with more work than places: the last place stays free for another owner', () => {
    const { started, run } = scene({ size: 3 });
    settled(['a1', 'a2', 'a3', 'a4'].map((name) => run(name)));
    expect(started).toEqual(['a1', 'a2']);
    settled([run('b1')]);
    expect(started).toEqual(['a1', 'a2', 'b1']);
  });

  test('[LIM20] a line of one place: used by every owner', () => {
    const { started, run } = scene({ size: 1 });
    settled([run('a1')]);
    expect(started).toEqual(['a1']);
  });

  test('[LIM21] owners that wait: take turns, each in the order of its own work', async () => {
    const { started, run, end } = scene({ size: 1 });
    settled(['a1', 'a2', 'a3', 'b1', 'b2', 'c1'].map((name) => run(name)));
    for (const name of ['a1', 'b1', 'c1', 'a2', 'b2', 'a3']) {
      expect(started.at(-1)).toBe(name);
      await end(name);
    }
    expect(started).toHaveLength(6);
  });

  test('[LIM21] an owner at its share: does not delay the owners behind it', async () => {
    const { started, run, end } = scene({ size: 2 });
    settled(['a1', 'a2', 'b1', 'b2', 'c1'].map((name) => run(name)));
    expect(started).toEqual(['a1', 'b1']);
    await end('b1');
    // a2 waits longest, but a1 still runs.
    expect(started).toEqual(['a1', 'b1', 'c1']);
    await end('a1');
    expect(started).toEqual(['a1', 'b1', 'c1', 'a2']);
    await end('c1');
    expect(started).toEqual(['a1', 'b1', 'c1', 'a2', 'b2']);
  });

  test('[LIM20] work that fails: rejects with its error and frees its place', async () => {
    const { started, run, end } = scene({ size: 1 });
    const failed = run('a1');
    const next = run('a2');
    const rejected = expect(failed).rejects.toThrow('no');
    await end('a1', new Error('no'));
    await rejected;
    expect(started).toEqual(['a1', 'a2']);
    await end('a2');
    expect(await next).toBe('a2');
  });

  test('[LIM22] waiting work whose client disconnected: leaves the line and never starts', async () => {
    const { started, run, end } = scene({ size: 1 });
    const gone = new AbortController();
    settled([run('a1')]);
    const waiting = run('b1', gone.signal);
    settled([run('b2')]);
    gone.abort();
    await expect(waiting).rejects.toBeInstanceOf(WorkAbandoned);
    await end('a1');
    expect(started).toEqual(['a1', 'b2']);
  });

  test('[LIM22] running work whose client disconnected: is aborted, and its place goes to the next owner', async () => {
    const { started, run } = scene({ size: 1 });
    const gone = new AbortController();
    const running = run('a1', gone.signal);
    settled([run('b1')]);
    gone.abort();
    await expect(running).rejects.toBeInstanceOf(WorkAbandoned);
    expect(started).toEqual(['a1', 'b1']);
  });

  test('[LIM22] a client that disconnected before it was queued: nothing runs', async () => {
    const { started, run } = scene();
    await expect(run('a1', AbortSignal.abort())).rejects.toBeInstanceOf(WorkAbandoned);
    expect(started).toEqual([]);
  });

  test('[LIM23] more waiting work of one owner than allowed: rejected with a retry time', async () => {
    const { started, run, end } = scene({ size: 1, maxWaiting: 2, maxWaitMs: 30_000 });
    settled(['a1', 'a2', 'a3'].map((name) => run(name)));
    await expect(run('a4')).rejects.toMatchObject({
      name: 'LineRefused',
      message: '2 requests of this account are waiting already. Retry later.',
      retryAfterSeconds: 30,
    });
    settled([run('b1')]);
    for (const name of ['a1', 'b1', 'a2', 'a3']) await end(name);
    expect(started).toEqual(['a1', 'b1', 'a2', 'a3']);
  });

  test('[LIM23] work that waits longer than allowed: rejected, and the queue continues', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { started, run, end } = scene({ size: 1, maxWaitMs: 1000 });
    settled([run('a1')]);
    const late = expect(run('b1')).rejects.toThrow(LineRefused);
    vi.advanceTimersByTime(500);
    settled([run('b2')]);
    vi.advanceTimersByTime(500);
    await late;
    await end('a1');
    expect(started).toEqual(['a1', 'b2']);
    // Its turn came: the clock of the line no longer counts.
    vi.advanceTimersByTime(5000);
    await end('b2');
    expect(vi.getTimerCount()).toBe(0);
  });
});
