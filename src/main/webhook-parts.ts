import type { Config } from '#config.ts';
import type { WebhookParts } from '#engine/webhooks/webhook-parts.ts';
import { parseHostAllowList } from '#lib/host-allow-list.ts';
import type { Metrics } from '#lib/metrics.ts';

/** Webhooks with the installation's settings. */
export function webhookParts(
  config: Config,
  parts: Pick<WebhookParts, 'database' | 'queue' | 'clock' | 'ids' | 'secrets' | 'resolve'> & {
    metrics: Metrics;
    ca: string | undefined;
  },
): WebhookParts {
  const allow = parseHostAllowList(config.webhookAllow);
  if (!allow.ok) throw new Error('bug: the configuration let a bad ROWPRESS_WEBHOOK_ALLOW pass');
  const { webhookRetrySeconds: usual, ingestWebhookRetrySeconds: ingest } = config;
  const { metrics, ca, ...given } = parts;
  return {
    ...given,
    counters: {
      attempted: (scheme, outcome) => metrics.count('rowpress_webhook_attempts_total', { scheme, outcome }),
    },
    settings: {
      allow: allow.list,
      ...(ca !== undefined && { ca }),
      timeoutMs: config.webhookTimeoutMs,
      retrySeconds: { bulkfill: usual, standard: usual, ingest },
    },
  };
}
