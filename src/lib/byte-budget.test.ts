import { describe, expect, test } from 'vitest';
import { ByteBudget, metered } from './byte-budget.ts';
import { faultOf } from './errors/fault-of.ts';

const failureOf = (act: () => unknown): unknown => {
  try {
    act();
  } catch (error) {
    return error;
  }
  return undefined;
};

describe('the memory budget', () => {
  test('[LIM40] a reservation beyond the total: is rejected as a temporary fault until others release theirs', () => {
    const budget = new ByteBudget(100, 100);
    const first = budget.reserve('a', 70);
    expect(faultOf(failureOf(() => budget.reserve('b', 31)))).toBe('unavailable');
    const second = budget.reserve('b', 30);
    expect(budget.usedBytes).toBe(100);
    first.release();
    first.release();
    expect(budget.usedBytes).toBe(30);
    second.release();
    expect(budget.usedBytes).toBe(0);
    expect(budget.refusals).toBe(1);
  });

  test('[LIM41] an account at its share: is rejected while other accounts are served', () => {
    const budget = new ByteBudget(100);
    budget.reserve('a', 40);
    expect(faultOf(failureOf(() => budget.reserve('a', 20)))).toBe('unavailable');
    budget.reserve('b', 50);
    expect(budget.usedBytes).toBe(90);
  });

  test('[LIM42] work larger than the whole budget: runs when nothing else does', () => {
    const budget = new ByteBudget(100);
    const small = budget.reserve('b', 1);
    expect(faultOf(failureOf(() => budget.reserve('a', 1_000)))).toBe('unavailable');
    small.release();
    const large = budget.reserve('a', 1_000);
    expect(large.bytes).toBe(100);
    large.grow(5_000);
    expect(budget.usedBytes).toBe(100);
    large.release();
    expect(budget.usedBytes).toBe(0);
  });

  test('[LIM42] work larger than the share of its account: runs when the account holds nothing else', () => {
    const budget = new ByteBudget(100);
    const other = budget.reserve('a', 10);
    expect(failureOf(() => budget.reserve('a', 80))).toBeDefined();
    other.release();
    const large = budget.reserve('a', 30);
    large.grow(50);
    expect(large.bytes).toBe(80);
    expect(failureOf(() => budget.reserve('a', 1))).toBeDefined();
  });

  test('[LIM40] a reservation that cannot grow: keeps what it has and still releases it', () => {
    const budget = new ByteBudget(100, 100);
    const other = budget.reserve('b', 60);
    const growing = budget.reserve('a', 20);
    expect(failureOf(() => growing.grow(21))).toBeDefined();
    expect(growing.bytes).toBe(20);
    growing.release();
    other.release();
    expect(budget.usedBytes).toBe(0);
    expect(() => growing.grow(1)).toThrow(/bug/);
  });

  test('[LIM40] work that fails: releases its bytes', async () => {
    const budget = new ByteBudget(100);
    const failing = budget.run('a', 50, async () => {
      expect(budget.usedBytes).toBe(50);
      throw new Error('it broke');
    });
    await expect(failing).rejects.toThrow('it broke');
    expect(budget.usedBytes).toBe(0);
  });

  test('[LIM40] a metered stream: counts bytes as they pass, beyond those that are free', async () => {
    const budget = new ByteBudget(100, 100);
    const other = budget.reserve('b', 50);
    const reservation = budget.reserve('a', 0);
    async function* source() {
      yield Buffer.alloc(10);
      yield Buffer.alloc(10);
      yield Buffer.alloc(50);
    }
    const seen: number[] = [];
    const read = async () => {
      for await (const _ of metered(source(), reservation, { factor: 2, free: 12 }))
        seen.push(budget.usedBytes);
    };
    const failure = await read().catch((error: unknown) => error);
    expect(seen).toEqual([50, 66]);
    expect(faultOf(failure)).toBe('unavailable');
    reservation.release();
    other.release();
    expect(budget.usedBytes).toBe(0);
  });
});
