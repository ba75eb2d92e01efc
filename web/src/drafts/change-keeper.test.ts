import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ChangeKeeper } from './change-keeper.ts';

const PAUSE_MS = 250;

/** A keeper of one number whose writes finish when the test resolves them. */
function keeperOf() {
  const page = { value: 0, ready: true };
  const written: number[] = [];
  const ends: { resolve(kept: boolean): void; reject(error: Error): void }[] = [];
  const told: string[] = [];
  const write = () => {
    if (!page.ready) return Promise.resolve(false);
    written.push(page.value);
    return new Promise<boolean>((resolve, reject) => ends.push({ resolve, reject }));
  };
  const keeper = new ChangeKeeper(write, (state) => told.push(state), PAUSE_MS);
  const change = (value: number) => {
    page.value = value;
    keeper.changed();
  };
  const end = async (index: number) => {
    ends[index]?.resolve(true);
    await vi.advanceTimersByTimeAsync(0);
  };
  return { page, keeper, change, end, ends, written, told };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('what keeps changes', () => {
  it('writes once after several changes, a moment after the last', async () => {
    const { change, end, written, told } = keeperOf();
    change(1);
    await vi.advanceTimersByTimeAsync(PAUSE_MS - 1);
    change(2);
    await vi.advanceTimersByTimeAsync(PAUSE_MS - 1);
    expect(written).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    await end(0);
    expect(written).toEqual([2]);
    expect(told).toEqual(['waiting', 'waiting', 'kept']);
  });

  it('writes a change that came while another was being written', async () => {
    const { change, end, written, told } = keeperOf();
    change(1);
    await vi.advanceTimersByTimeAsync(PAUSE_MS);
    change(2);
    await end(0);
    expect(told.at(-1)).toBe('waiting');
    await vi.advanceTimersByTimeAsync(PAUSE_MS);
    expect(written).toEqual([1, 2]);
    await end(1);
    expect(told.at(-1)).toBe('kept');
  });

  it('writes at once when asked, and nothing that is already kept', async () => {
    const { change, keeper, end, written } = keeperOf();
    await keeper.keepNow();
    expect(keeper.hasChanges).toBe(false);
    change(1);
    expect(keeper.hasChanges).toBe(true);
    void keeper.keepNow();
    await end(0);
    await keeper.keepNow();
    await vi.advanceTimersByTimeAsync(2 * PAUSE_MS);
    expect(written).toEqual([1]);
  });

  it('tries again after a failure, and when there is something to keep again', async () => {
    const { page, change, keeper, ends, written, told } = keeperOf();
    change(1);
    await vi.advanceTimersByTimeAsync(PAUSE_MS);
    ends[0]?.reject(new Error('full'));
    await vi.advanceTimersByTimeAsync(0);
    expect(told.at(-1)).toBe('failed');
    page.ready = false;
    await keeper.keepNow();
    page.ready = true;
    void keeper.keepNow();
    expect(written).toEqual([1, 1]);
  });
});
