import type { Outbox } from '#engine/engine-parts.ts';
import type { Announcement, SettledJob, WebhookTarget } from '#engine/job-kind.ts';
import { sealSecrets } from '#engine/webhooks/webhook-secrets.ts';
import type { Db, Tx } from '#storage/database.ts';
import { listActiveWebhookSubscriptions } from '#storage/subscribers/webhook-subscriptions.ts';
import type { SubscribersKindParts } from '../parts.ts';
import { type EventType, matchesPattern } from './event-types.ts';

type Parts = Pick<SubscribersKindParts, 'secrets' | 'clock' | 'ids'>;

/** The subscriptions that receive an event, each with its current secrets. */
async function targetsOf(parts: Parts, db: Db, accountId: string, type: EventType): Promise<WebhookTarget[]> {
  const subscriptions = await listActiveWebhookSubscriptions(db, accountId);
  const now = parts.clock.now();
  return subscriptions
    .filter((subscription) => subscription.event_patterns.some((pattern) => matchesPattern(pattern, type)))
    .map(({ url, secret, old_secret, old_secret_ends }) => {
      const current = parts.secrets.open(secret);
      const old =
        old_secret !== null && old_secret_ends !== null && old_secret_ends > now
          ? [parts.secrets.open(old_secret)]
          : [];
      return { url, scheme: 'standard', secrets: sealSecrets(parts.secrets, [current, ...old]) };
    });
}

function body(eventId: string, type: EventType, at: Date, data: object): Readonly<Record<string, unknown>> {
  return { id: eventId, type, timestamp: at.toISOString(), data };
}

/** Announces one event per job, in the transaction that settles it. `data` is the job as in a list, with its failure. */
export async function announceJob(
  parts: Parts,
  tx: Tx,
  what: 'import' | 'export',
  { job, eventId }: SettledJob<unknown>,
  summarise: () => object | Promise<object>,
): Promise<Announcement | undefined> {
  const type: EventType = `${what}_job.${job.state === 'completed' ? 'completed' : 'failed'}`;
  const targets = await targetsOf(parts, tx, job.account_id, type);
  if (targets.length === 0) return undefined;
  const data = { ...(await summarise()), error_message: job.error_message };
  return {
    surface: 'subscribers',
    type,
    body: body(eventId, type, job.settled_at ?? job.created_at, data),
    targets,
  };
}

/** Announces one person's change in the transaction that makes it. The event contains only ids; receivers read the rest. */
export async function announceSubscriber(
  parts: Parts & { readonly outbox: Outbox },
  tx: Tx,
  accountId: string,
  type: EventType,
  subscriber: { readonly id: string; readonly status?: string },
): Promise<void> {
  const targets = await targetsOf(parts, tx, accountId, type);
  if (targets.length === 0) return;
  const eventId = parts.ids.uuid();
  const occurredAt = parts.clock.now();
  const data = { subscriber: { ...subscriber, self: `/v1/subscribers/${subscriber.id}` } };
  await parts.outbox.record(tx, {
    surface: 'subscribers',
    type,
    body: body(eventId, type, occurredAt, data),
    targets,
    eventId,
    accountId,
    jobId: null,
    occurredAt,
  });
}
