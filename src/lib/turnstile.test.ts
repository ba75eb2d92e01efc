import { describe, expect, it } from 'vitest';
import { Turnstile } from './turnstile.ts';

describe('Turnstile', () => {
  it('more work than places: never exceeds the size, and runs in order', async () => {
    const turnstile = new Turnstile(2);
    const order: number[] = [];
    let inside = 0;
    let most = 0;
    const work = (n: number) => async () => {
      inside += 1;
      most = Math.max(most, inside);
      await new Promise((resolve) => setImmediate(resolve));
      order.push(n);
      inside -= 1;
      return n;
    };
    const results = await Promise.all(Array.from({ length: 9 }, (_, n) => turnstile.run(work(n))));
    expect(results).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    expect(order).toEqual(results);
    expect(most).toBe(2);
  });

  it('work that fails: frees its place', async () => {
    const turnstile = new Turnstile(1);
    const failed = turnstile.run(() => Promise.reject(new Error('no')));
    const next = turnstile.run(async () => 'in');
    await expect(failed).rejects.toThrow('no');
    expect(await next).toBe('in');
  });
});
