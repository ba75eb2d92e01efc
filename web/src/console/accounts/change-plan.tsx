import type { Account, Plan } from '#console/contract/accounts.ts';
import type { Quota } from '#console/contract/usage.ts';
import { Banner } from '../../ui/badge.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { Facts } from '../parts/facts.tsx';
import { planChange } from './plan-change.ts';

/** A change of plan that waits for the confirmation. */
export interface WantedPlan {
  readonly account: Account;
  /** Undefined if the account's plan is no longer configured. */
  readonly from: Plan | undefined;
  readonly to: Plan;
  readonly quota: Quota;
}

export function ChangePlan({
  wanted: { account, from, to, quota },
  onConfirm,
  onClose,
}: {
  wanted: WantedPlan;
  onConfirm: () => Promise<void>;
  onClose: () => void;
}) {
  const { limits, exceeded } = planChange(from, to, quota);
  return (
    <Confirm
      title={`Change the plan of ${account.name}?`}
      action={`Change to “${to.name}”`}
      dangerous={exceeded.length > 0}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <p>
        From “{account.plan}” to “{to.name}”.{' '}
        {limits.length === 0 ? 'Both plans have the same limits.' : 'The new limits apply at once:'}
      </p>
      {limits.length > 0 && (
        <Facts of={limits.map((limit) => [limit.name, `${limit.from} → ${limit.to}`] as const)} />
      )}
      {exceeded.map((sentence) => (
        <Banner key={sentence} tone="warn" title={`${account.name} is over a limit of the new plan`}>
          {sentence}
        </Banner>
      ))}
    </Confirm>
  );
}
