import { describe, expect, it } from 'vitest';
import type { Output } from './output-file.ts';
import { WriteBehind } from './write-behind.ts';

/** An output whose writes end when the test resolves them. */
function heldOutput() {
  const writes: { readonly numbers: number[]; end(): void; fail(error: Error): void }[] = [];
  const output: Output = {
    write: (chunks) =>
      new Promise((resolve, reject) => {
        writes.push({ numbers: chunks.map(([first = -1]) => first), end: resolve, fail: reject });
      }),
    finish: async () => undefined,
    abandon: async () => undefined,
  };
  return { output, writes };
}

const chunk = (number: number) => [Uint8Array.of(number)];
/** Waits for everything that can happen without another write ending. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('writing behind', () => {
  it('[FILL2] chunks: written in order; those added during a write go out together', async () => {
    const { output, writes } = heldOutput();
    const behind = new WriteBehind(output);
    for (const number of [1, 2, 3]) await behind.add(chunk(number), 1);
    expect(writes.map(({ numbers }) => numbers)).toEqual([[1]]);
    writes[0]?.end();
    await settled();
    expect(writes.map(({ numbers }) => numbers)).toEqual([[1], [2, 3]]);
    writes[1]?.end();
    await settled();
    await behind.add(chunk(4), 1);
    writes[2]?.end();
    await behind.finish();
    expect(writes.map(({ numbers }) => numbers)).toEqual([[1], [2, 3], [4]]);
  });

  it('[FILL2] too many queued writes: the caller waits, and no longer than necessary', async () => {
    const { output, writes } = heldOutput();
    const behind = new WriteBehind(output);
    let added = 0;
    const adding = (async () => {
      for (; added < 40; added += 1) await behind.add(chunk(added), 1);
    })();
    await settled();
    expect(added).toBeLessThan(40);
    const before = added;
    writes[0]?.end();
    await settled();
    expect(added).toBeGreaterThan(before);
    for (let write = 1; write < writes.length || added < 40; write += 1) {
      expect(write).toBeLessThan(50);
      writes[write]?.end();
      await settled();
    }
    await adding;
    await behind.finish();
    expect(writes.flatMap(({ numbers }) => numbers)).toEqual(
      Array.from({ length: 40 }, (_, number) => number),
    );
  });

  it('[FILL144] large chunks: the caller waits by their bytes, not by their number', async () => {
    const { output, writes } = heldOutput();
    const behind = new WriteBehind(output);
    let added = 0;
    const adding = (async () => {
      for (; added < 6; added += 1) await behind.add(chunk(added), 9_000_000);
    })();
    await settled();
    expect(added).toBe(2);
    for (let write = 0; write < writes.length; write += 1) {
      writes[write]?.end();
      await settled();
    }
    await adding;
    await behind.finish();
    expect(writes.flatMap(({ numbers }) => numbers)).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it('[FILL2] a failed write: rejects the next add or finish, and nothing is written after it', async () => {
    const { output, writes } = heldOutput();
    const behind = new WriteBehind(output);
    await behind.add(chunk(1), 1);
    await behind.add(chunk(2), 1);
    writes[0]?.fail(new Error('full'));
    await settled();
    await expect(behind.finish()).rejects.toThrow('full');
    const adding = async () => {
      for (let number = 3; number < 20; number += 1) await behind.add(chunk(number), 1);
    };
    await expect(adding()).rejects.toThrow('full');
    expect(writes).toHaveLength(1);
  });
});
