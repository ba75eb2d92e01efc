import type { WebhookParts } from '#engine/webhooks/webhook-parts.ts';
import { parseHostAllowList } from '#lib/host-allow-list.ts';
import type { Metrics } from '#lib/metrics.ts';
import { schemesOf } from './registries.ts';
import type { StartContext } from './start-context.ts';

/** Webhooks with the installation's settings. */
export function webhookParts(
  { config, surfaces }: Pick<StartContext, 'config' | 'surfaces'>,
  parts: Pick<WebhookParts, 'database' | 'queue' | 'services' | 'clock' | 'ids' | 'secrets' | 'resolve'> & {
    metrics: Metrics;
    ca: string | undefined;
  },
): WebhookParts {
  const allow = parseHostAllowList(config.webhookAllow);
  if (!allow.ok) throw new Error('bug: the configuration accepted a bad ROWPRESS_WEBHOOK_ALLOW');
  const retrySeconds = surfaces.map((surface) => [
    surface.webhookScheme.name,
    surface.settings(config).webhookRetrySeconds,
  ]);
  const { metrics, ca, ...given } = parts;
  return {
    ...given,
    schemes: schemesOf(surfaces),
    counters: {
      attempted: (scheme, outcome) => metrics.count('rowpress_webhook_attempts_total', { scheme, outcome }),
    },
    settings: {
      allow: allow.list,
      ...(ca !== undefined && { ca }),
      timeoutMs: config.webhookTimeoutMs,
      retrySeconds: Object.fromEntries(retrySeconds),
    },
  };
}
