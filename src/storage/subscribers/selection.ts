import { type RawBuilder, sql } from 'kysely';

/** Which people of an account are meant. */
export interface Selection {
  readonly query?: string | undefined;
  readonly email?: string | undefined;
  readonly status?: string | undefined;
  readonly coldOnly?: boolean | undefined;
  readonly tagIds?: readonly string[] | undefined;
  /** How many of `tagIds` a subscriber must have; at least one if not set. */
  readonly tagMatch?: TagMatch | undefined;
}

export type TagMatch = 'any' | 'all' | 'none';

/** Cold: active, subscribed more than 90 days ago, and not opened in the last 90 days. */
const COLD_MS = 90 * 86_400_000;

/** The condition on `subscribers s`. */
export function selected(accountId: string, selection: Selection, now: Date): RawBuilder<boolean> {
  const conditions = [sql`s.account_id = ${accountId}`];
  const { query, email, status, coldOnly, tagIds = [], tagMatch = 'any' } = selection;
  if (query !== undefined && query.trim() !== '') {
    const pattern = `%${query
      .trim()
      .toLowerCase()
      .replace(/[\\%_]/g, '\\$&')}%`;
    conditions.push(sql`(s.email_key like ${pattern} or lower(s.name) like ${pattern})`);
  }
  if (email !== undefined) conditions.push(sql`s.email_key = ${email.trim().toLowerCase()}`);
  if (status !== undefined) conditions.push(sql`s.status = ${status}`);
  if (coldOnly === true) {
    const since = new Date(now.getTime() - COLD_MS);
    conditions.push(
      sql`s.status = 'Active' and s.subscribed_at < ${since} and (s.last_opened_at is null or s.last_opened_at < ${since})`,
    );
  }
  if (tagIds.length > 0) {
    const wanted = [...new Set(tagIds)];
    const had = sql`from subscriber_tags st where st.subscriber_id = s.id and st.tag_id = any(${wanted}::uuid[])`;
    if (tagMatch === 'all') conditions.push(sql`(select count(*) ${had}) = ${wanted.length}`);
    else conditions.push(tagMatch === 'any' ? sql`exists (select ${had})` : sql`not exists (select ${had})`);
  }
  return sql<boolean>`${sql.join(conditions, sql` and `)}`;
}
