export interface Operator {
  readonly id: string;
  readonly name: string;
  readonly created_at: string;
  readonly last_seen_at: string | null;
  readonly sessions: number;
  readonly is_self: boolean;
}

/** One thing an operator did. */
export interface OperatorAction {
  readonly id: string;
  readonly at: string;
  readonly operator: { readonly id: string; readonly name: string };
  readonly action: string;
  readonly account: string | null;
  readonly target: string | null;
  readonly request_id: string;
}

const WORDS: Readonly<Record<string, string>> = {
  'signed-in': 'signed in',
  'key.created': 'made a key',
  'key.rotated': 'rotated a key',
  'key.revoked': 'revoked a key',
  'account.created': 'made an account',
  'account.changed': 'changed an account',
  'operator.invited': 'invited an operator',
  'operator.removed': 'removed an operator',
  'link.created': 'created a sign-in link',
  'link.revoked': 'revoked a sign-in link',
  'session.revoked': 'revoked a session',
  'sessions.revoked': 'revoked other sessions',
  'job.created': 'started a job',
  'job.retried': 'ran failed rows again',
  'job.cancelled': 'cancelled a job',
  'delivery.redelivered': 'sent a webhook again',
  'webhook.tested': 'sent a test webhook',
  'quarantine.released': 'released an item',
  'quarantine.discarded': 'discarded an item',
  'quarantine.redriven': 're-drove the quarantine',
  'import.created': 'started an import',
  'export.created': 'started an export',
  'artifact.downloaded': 'downloaded an artifact',
  'manifest.read': 'read a manifest',
  'subscribers.listed': 'listed subscribers',
  'subscriber.read': 'read a subscriber',
  'failed-rows.downloaded': 'downloaded failed rows',
  'export.read': 'read an export link',
  'item.read': 'read an item',
  'item-history.read': 'read the history of an item',
  'quarantine.listed': 'listed the quarantine',
  'quarantine.read': 'read a quarantined item',
  'webhook-secret.read': 'read a webhook secret',
  'delivery.read': 'read a webhook delivery',
  'audit.exported': 'exported the audit log',
  'package.sealed': 'sealed a package',
};
export const actionWords = (action: string): string => WORDS[action] ?? action;
