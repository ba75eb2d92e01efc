/** What the audit log calls the requests of operators who act on a surface. */
export interface AuditNames {
  /** Writes, by `METHOD /route`; null: not audited. Others are called `<surface>.<method>`. */
  readonly writes: Readonly<Record<string, string | null>>;
  /**
   * Reads that show personal data, sent items or a secret, by route. Other reads show states, counts, ids and settings, and are
   * not audited.
   */
  readonly reads: Readonly<Record<string, string>>;
}

/** The name of a request in the audit log. Returns undefined if it is not audited: a HEAD request shows no data. */
export function auditName(
  surface: string,
  names: AuditNames,
  method: string,
  route: string,
): string | undefined {
  if (method === 'HEAD') return undefined;
  if (method === 'GET') return names.reads[route];
  const name = names.writes[`${method} ${route}`];
  return name === undefined ? `${surface}.${method.toLowerCase()}` : (name ?? undefined);
}
