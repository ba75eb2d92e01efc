import { expect, test } from 'vitest';
import { count, startTestEngine, type TestEngine } from '../../../test/support/engine.ts';

type Limit = number | null;

/** Accepts a job of ten rows. With `fails`, one of them fails when it runs, and the job with it. */
function accept(engine: TestEngine, limit: Limit, { fails = false } = {}) {
  const input = { count: 10, sliceSize: 10, failLimit: 1, failing: fails ? [1] : [] };
  const { accountId } = engine;
  return engine.engine.accept({ accountId, kind: 'example.sum', input, quota: { rows: 10, limit } });
}

async function acceptAll(engine: TestEngine, limits: readonly Limit[]): Promise<string[]> {
  const outcomes: string[] = [];
  for (const limit of limits) outcomes.push((await accept(engine, limit)).outcome);
  return outcomes;
}

async function settleAll(engine: TestEngine): Promise<void> {
  engine.work();
  const open = () => count(engine, 'select count(*) from jobs where settled_at is null');
  await expect.poll(open, { timeout: 20_000 }).toBe(0);
  await engine.engine.stopWorkers(20_000);
}

async function balance(engine: TestEngine): Promise<unknown[]> {
  const { rows } = await engine.parts.database.pool.query(
    'select reserved_rows, billed_rows from quota_balances',
  );
  return rows;
}

test('[STO100] jobs of a plan without a limit: the account has no balance', async () => {
  const engine = await startTestEngine();
  await acceptAll(engine, [null, null, null]);
  await settleAll(engine);
  expect(await balance(engine)).toEqual([]);
  expect(await count(engine, 'select sum(billed_rows) from quota_ledger')).toBe(30);
});

test('[STO100] a limited plan begins within the month: all rows of the month count, those of failed jobs do not', async () => {
  const engine = await startTestEngine();
  await acceptAll(engine, [null, null]);
  await accept(engine, null, { fails: true });
  await settleAll(engine);
  // Open when the plan changes: counts when it is billed.
  await accept(engine, null);
  expect(await acceptAll(engine, [29, 40, 40, 40])).toEqual([
    'quota-exceeded',
    'accepted',
    'accepted',
    'quota-exceeded',
  ]);
  expect(await balance(engine)).toEqual([{ reserved_rows: 20, billed_rows: 0 }]);
  await settleAll(engine);
  expect(await balance(engine)).toEqual([{ reserved_rows: 0, billed_rows: 20 }]);
  expect(await acceptAll(engine, [59, 60])).toEqual(['quota-exceeded', 'accepted']);
});

test('[STO100] limited, without a limit, limited again: the rows of all three count', async () => {
  const engine = await startTestEngine();
  await acceptAll(engine, [20, 20]);
  await settleAll(engine);
  await acceptAll(engine, [null, null]);
  await settleAll(engine);
  expect(await balance(engine)).toEqual([{ reserved_rows: 0, billed_rows: 20 }]);
  expect(await acceptAll(engine, [49, 50, 50])).toEqual(['quota-exceeded', 'accepted', 'quota-exceeded']);
});

test('[STO100] the first limited creates are concurrent: together with the rows before they cannot overspend', async () => {
  const engine = await startTestEngine();
  await acceptAll(engine, [null, null, null]);
  await settleAll(engine);
  const answers = await Promise.all(Array.from({ length: 12 }, () => accept(engine, 75)));
  expect(answers.filter(({ outcome }) => outcome === 'accepted')).toHaveLength(4);
  expect(await balance(engine)).toEqual([{ reserved_rows: 40, billed_rows: 0 }]);
});

test('[STO100] jobs that a node of the release before has billed: count once', async () => {
  const engine = await startTestEngine();
  await acceptAll(engine, [null]);
  await settleAll(engine);
  await engine.parts.database.pool.query(`
    update quota_ledger set beside_balance = null;
    insert into quota_balances (account_id, period, billed_rows) select account_id, period, billed_rows from quota_ledger`);
  expect(await acceptAll(engine, [19, 20])).toEqual(['quota-exceeded', 'accepted']);
});
