/** The beginnings of actions that the audit log can be filtered by. */
export const ACTION_CHOICES = [
  { value: 'signed-', name: 'Signing in and out' },
  { value: 'operator.', name: 'People and roles' },
  { value: 'link.', name: 'Sign-in links' },
  { value: 'passkey.', name: 'Passkeys' },
  { value: 'session', name: 'Sessions' },
  { value: 'account.', name: 'Accounts' },
  { value: 'key.', name: 'Keys' },
  { value: 'job.', name: 'Jobs' },
  { value: 'project.', name: 'Projects' },
  { value: 'delivery.', name: 'Webhooks' },
  { value: 'artifact.', name: 'Downloads' },
  { value: 'audit.', name: 'Exports of this log' },
];

export const SINCE_CHOICES = [
  { value: '1', name: 'Last 24 hours' },
  { value: '7', name: 'Last 7 days' },
  { value: '30', name: 'Last 30 days' },
];

const DAY_MS = 86_400_000;

/** The query of the audit routes for what is chosen; an empty text means no filter. */
export const auditQuery = (
  { person, action, since }: { readonly person: string; readonly action: string; readonly since: string },
  now: number,
) => ({
  operator: person,
  action,
  from: since === '' ? '' : new Date(now - Number(since) * DAY_MS).toISOString(),
});
