import { expect, test } from 'vitest';
import type { Plan } from '#console/contract/accounts.ts';
import { planChange } from './plan-change.ts';

const free: Plan = {
  name: 'free',
  rows_per_month: 100,
  max_pdf_bytes: 20_000_000,
  max_stored_bytes: null,
  default: true,
};
const team: Plan = { ...free, name: 'team', rows_per_month: 5000, max_pdf_bytes: null };
const quota = {
  plan: 'team',
  rows_per_month: 5000,
  used: 10,
  reserved: 0,
  resets_at: '2026-12-01T00:00:00.000Z',
  stored_bytes: 3_000_000,
};

test('[CON69] a change of plan: names the limits that differ, with both values', () => {
  expect(planChange(team, free, quota)).toEqual({
    limits: [
      { name: 'Rows per month', from: '5,000', to: '100' },
      { name: 'Largest PDF', from: 'limit of the server', to: '20 MB' },
    ],
    exceeded: [],
  });
  expect(planChange(free, { ...free, name: 'other' }, quota).limits).toEqual([]);
  expect(planChange(undefined, team, quota).limits[0]).toEqual({
    name: 'Rows per month',
    from: 'unknown',
    to: '5,000',
  });
});

test('[CON69] an account that is over a limit of the new plan: says so, and what follows', () => {
  const small = { ...free, max_stored_bytes: 1_000_000 };
  expect(planChange(team, small, { ...quota, used: 4000, reserved: 210 }).exceeded).toEqual([
    'It has already used 4,210 rows this month, 210 of them held for running jobs, and the new plan allows 100. The server rejects new rows until 1 Dec.',
    'It stores 3 MB, and the new plan allows 1 MB. The server rejects new files until enough of them have expired.',
  ]);
});
