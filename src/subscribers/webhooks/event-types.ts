/** The events of this surface: changes of a person, and the end of jobs. An import sends one event, not one per row. */
export const EVENT_TYPES = [
  'subscriber.created',
  'subscriber.updated',
  'subscriber.status_changed',
  'subscriber.deleted',
  'import_job.completed',
  'import_job.failed',
  'export_job.completed',
  'export_job.failed',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

export const EVENT_PATTERNS: readonly string[] = [
  '*',
  'subscriber.*',
  'import_job.*',
  'export_job.*',
  ...EVENT_TYPES,
];

export function matchesPattern(pattern: string, type: EventType): boolean {
  return (
    pattern === '*' || pattern === type || (pattern.endsWith('.*') && type.startsWith(pattern.slice(0, -1)))
  );
}
