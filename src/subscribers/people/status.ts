export const STATUSES = [
  'Active',
  'Unconfirmed',
  'Unsubscribed',
  'Complained',
  'Bounced',
  'Blocked',
] as const;
export type Status = (typeof STATUSES)[number];

const byKey = new Map<string, Status>(STATUSES.map((status) => [status.toLowerCase(), status]));

export function parseStatus(text: string): Status | undefined {
  return byKey.get(text.trim().toLowerCase());
}
