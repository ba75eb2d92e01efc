import { z } from 'zod';
import { quotaPeriod } from '#engine/limits/quota-period.ts';
import { type AccountRecord, measureAccount } from '#storage/accounts.ts';
import { listDailyUsage, sumQuota } from '#storage/console/usage.ts';
import type { Db } from '#storage/database.ts';
import { readOnly } from '#storage/read-replica.ts';
import { onlyAccount } from '../access/signed-in-person.ts';
import { getNamedAccount } from '../accounts/find-named-account.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { usage } from '../contract/usage.ts';
import type { OperatorApp } from '../operator-app.ts';

const DAY_MS = 86_400_000;
const usageQuery = z.object({
  account: z.string().optional(),
  days: z.coerce.number().int().min(1).max(90).default(30),
});

/** Jobs and rows by day (UTC, while job records are kept), and the monthly quota of one account. */
export function usageRoutes(app: OperatorApp, { db, clock, settings }: ConsoleParts): void {
  const quotaOf = async (reader: Db, account: AccountRecord, now: Date) => {
    const [{ used, reserved }, stored] = await Promise.all([
      sumQuota(reader, account.id, quotaPeriod(now)),
      measureAccount(reader, account.id),
    ]);
    return {
      plan: account.plan,
      rows_per_month: settings.plans.get(account.plan)?.rowsPerMonth ?? null,
      used,
      reserved,
      stored_bytes: stored?.bytes ?? 0,
      resets_at: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)).toISOString(),
    };
  };

  app.get(
    '/usage',
    { config: { needs: 'view-data' }, schema: { querystring: usageQuery, response: { 200: usage } } },
    async (request) => {
      const { account: named, days } = request.query;
      const wanted = named || onlyAccount(request);
      const account = wanted ? await getNamedAccount(db, request, wanted) : undefined;
      const now = clock.now();
      const today = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate());
      const firstDay = new Date(today - (days - 1) * DAY_MS);
      return readOnly(db, async (reader) => ({
        account: account?.name ?? null,
        days: await listDailyUsage(reader, { accountId: account?.id, firstDay, days }),
        quota: account === undefined ? null : await quotaOf(reader, account, now),
      }));
    },
  );
}
