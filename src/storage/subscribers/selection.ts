import { type RawBuilder, sql } from 'kysely';

/** Which people of an account are meant. */
export interface Selection {
  readonly query?: string | undefined;
  readonly email?: string | undefined;
  readonly status?: string | undefined;
  readonly coldOnly?: boolean | undefined;
  readonly tagIds?: readonly string[] | undefined;
  /** Every tag of the list, or any of them. */
  readonly allTags?: boolean | undefined;
}

/** Cold: active, subscribed more than 90 days ago, and not opened in the last 90 days. */
const COLD_MS = 90 * 86_400_000;

/** The condition on `subscribers s`. */
export function selected(accountId: string, selection: Selection, now: Date): RawBuilder<boolean> {
  const conditions = [sql`s.account_id = ${accountId}`];
  const { query, email, status, coldOnly, tagIds = [], allTags } = selection;
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
    const has = sql`select count(*) from subscriber_tags st where st.subscriber_id = s.id and st.tag_id = any(${wanted}::uuid[])`;
    conditions.push(sql`(${has}) >= ${allTags === true ? wanted.length : 1}`);
  }
  return sql<boolean>`${sql.join(conditions, sql` and `)}`;
}
