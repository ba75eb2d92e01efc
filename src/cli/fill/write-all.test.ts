import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MOST_BUFFERS, MOST_BYTES, type VectorFile, writeAll } from './write-all.ts';

/** A file that writes as many bytes as `answer` returns for the number given, and keeps them. */
function fakeFile(answer: (bytes: number) => number) {
  const kept: Uint8Array[] = [];
  const calls: { readonly bytes: number; readonly buffers: number }[] = [];
  const file: VectorFile = {
    writev: async (buffers) => {
      const whole = Buffer.concat(buffers);
      calls.push({ bytes: whole.length, buffers: buffers.length });
      const bytesWritten = answer(whole.length);
      kept.push(whole.subarray(0, Math.max(0, bytesWritten)));
      return { bytesWritten };
    },
  };
  return { file, calls, bytes: () => Buffer.concat(kept) };
}

const numbered = (length: number, from: number) =>
  Uint8Array.from({ length }, (_, index) => (from + index) % 251);

describe('[FILL110] writing an output', () => {
  it('a write that stops short, anywhere: the rest follows and every byte is written once', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat({ max: 40 }), { maxLength: 30 }),
        fc.infiniteStream(fc.integer({ min: 1, max: 60 })),
        async (lengths, steps) => {
          const chunks = lengths.map((length, index) => numbered(length, index * 7));
          const { file, bytes } = fakeFile((wanted) => Math.min(wanted, steps.next().value ?? 1));
          await writeAll(file, chunks);
          expect(bytes()).toEqual(Buffer.concat(chunks));
        },
      ),
    );
  });

  it('many buffers: at most 1,024 in one write', async () => {
    const chunks = Array.from({ length: 2500 }, (_, index) => numbered(3, index));
    const { file, calls, bytes } = fakeFile((wanted) => wanted);
    await writeAll(file, chunks);
    expect(calls.map(({ buffers }) => buffers)).toEqual([MOST_BUFFERS, MOST_BUFFERS, 452]);
    expect(bytes()).toEqual(Buffer.concat(chunks));
  });

  it('many bytes: at most 64 MiB in one write, even from one buffer', async () => {
    const half = new Uint8Array(MOST_BYTES / 2);
    const sizes: number[] = [];
    const file: VectorFile = {
      writev: async (buffers) => {
        const bytesWritten = buffers.reduce((sum, { length }) => sum + length, 0);
        sizes.push(bytesWritten);
        return { bytesWritten };
      },
    };
    await writeAll(file, [half, half, half, new Uint8Array(MOST_BYTES * 2 + 5)]);
    expect(sizes).toEqual([MOST_BYTES, MOST_BYTES, MOST_BYTES, MOST_BYTES / 2 + 5]);
  });

  it.each([
    ['nothing', 0],
    ['a negative count', -2_147_483_648],
    ['a count above what was given', 1001],
    ['no number', Number.NaN],
  ])('a write that returns %s: fails instead of repeating it', async (_, count) => {
    const { file, calls } = fakeFile(() => count);
    await expect(writeAll(file, [new Uint8Array(1000)])).rejects.toThrow(
      `a write of 1000 bytes returned ${count}`,
    );
    expect(calls).toHaveLength(1);
  });

  it('nothing to write: no write at all', async () => {
    const { file, calls } = fakeFile((wanted) => wanted);
    await writeAll(file, [new Uint8Array(), new Uint8Array()]);
    await writeAll(file, []);
    expect(calls).toEqual([]);
  });
});
