import { describe, expect, it } from 'vitest';
import { BackgroundFlush, FLUSH_BYTES } from './background-flush.ts';

/** A file whose flushes end when the test resolves them. */
function heldFile() {
  const flushes: { end(): void; fail(error: Error): void }[] = [];
  const calls: string[] = [];
  const file = {
    datasync: () =>
      new Promise<void>((resolve, reject) => {
        calls.push('datasync');
        flushes.push({ end: resolve, fail: reject });
      }),
    sync: async () => void calls.push('sync'),
  };
  return { file, flushes, calls };
}

const chunks = (bytes: number) => [{ length: bytes - 1 } as Uint8Array, { length: 1 } as Uint8Array];
/** Waits for everything that can happen without another flush ending. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('flushing an output in the background', () => {
  it('[FILL310] enough bytes: flushed at once, one flush at a time, the rest at the end', async () => {
    const { file, flushes, calls } = heldFile();
    const flush = new BackgroundFlush(file);
    flush.wrote(chunks(FLUSH_BYTES - 1));
    expect(calls).toEqual([]);
    flush.wrote(chunks(2));
    flush.wrote(chunks(FLUSH_BYTES));
    expect(calls).toEqual(['datasync']);
    flushes[0]?.end();
    await settled();
    flush.wrote(chunks(2));
    expect(calls).toEqual(['datasync', 'datasync']);
    const finished = flush.finish();
    await settled();
    expect(calls).toHaveLength(2);
    flushes[1]?.end();
    await finished;
    expect(calls).toEqual(['datasync', 'datasync', 'sync']);
  });

  it('[FILL310] a failed flush: fails the output at its end, even after a later flush', async () => {
    const { file, flushes, calls } = heldFile();
    const flush = new BackgroundFlush(file);
    flush.wrote(chunks(FLUSH_BYTES));
    flushes[0]?.fail(new Error('no space left on device'));
    await settled();
    flush.wrote(chunks(FLUSH_BYTES));
    flushes[1]?.end();
    await expect(flush.finish()).rejects.toThrow('no space left on device');
    expect(calls).not.toContain('sync');
  });

  it('[FILL310] a closed output: waits for the flush in progress', async () => {
    const { file, flushes } = heldFile();
    const flush = new BackgroundFlush(file);
    flush.wrote(chunks(FLUSH_BYTES));
    let isIdle = false;
    const idle = flush.idle().then(() => {
      isIdle = true;
    });
    await settled();
    expect(isIdle).toBe(false);
    flushes[0]?.end();
    await idle;
  });
});
