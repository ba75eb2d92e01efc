import type { Plan } from '#console/contract/accounts.ts';
import type { Quota } from '#console/contract/usage.ts';
import { formatBytes, formatCount, formatDay, formatMany } from '../parts/format.ts';

/** The limits that differ between two plans, and those that the account already exceeds. */
export interface PlanChange {
  readonly limits: readonly { readonly name: string; readonly from: string; readonly to: string }[];
  /** One sentence per limit of the new plan that is already reached. */
  readonly exceeded: readonly string[];
}

interface Limit {
  readonly name: string;
  readonly of: (plan: Plan) => number | null;
  readonly none: string;
  readonly show: (limit: number) => string;
}

const LIMITS: readonly Limit[] = [
  { name: 'Rows per month', of: (plan) => plan.rows_per_month, none: 'no limit', show: formatCount },
  { name: 'Largest PDF', of: (plan) => plan.max_pdf_bytes, none: 'limit of the server', show: formatBytes },
  { name: 'Stored files', of: (plan) => plan.max_stored_bytes, none: 'no limit', show: formatBytes },
];

/** `from` is undefined if the account's plan is no longer configured. */
export function planChange(from: Plan | undefined, to: Plan, quota: Quota): PlanChange {
  const limits = LIMITS.flatMap(({ name, of, none, show }) => {
    const [before, after] = [from === undefined ? undefined : of(from), of(to)];
    if (before === after) return [];
    const told = (limit: number | null | undefined) =>
      limit === undefined ? 'unknown' : limit === null ? none : show(limit);
    return [{ name, from: told(before), to: told(after) }];
  });
  return { limits, exceeded: exceededLimits(to, quota) };
}

function exceededLimits(to: Plan, { used, reserved, resets_at, stored_bytes: stored }: Quota): string[] {
  const { rows_per_month: rows, max_stored_bytes: bytes } = to;
  const taken = used + reserved;
  const held = reserved > 0 ? `, ${formatCount(reserved)} of them held for running jobs` : '';
  return [
    ...(rows !== null && taken >= rows
      ? [
          `It has already used ${formatMany(taken, 'row')} this month${held}, and the new plan allows ${formatCount(rows)}. The server rejects new rows until ${formatDay(resets_at.slice(0, 10))}.`,
        ]
      : []),
    ...(bytes !== null && stored >= bytes
      ? [
          `It stores ${formatBytes(stored)}, and the new plan allows ${formatBytes(bytes)}. The server rejects new files until enough of them have expired.`,
        ]
      : []),
  ];
}
