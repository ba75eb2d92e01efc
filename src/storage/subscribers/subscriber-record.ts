import { type RawBuilder, sql } from 'kysely';

/** A person as the surface shows them, tags included. */
export interface SubscriberRecord {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly status: string;
  readonly country: string | null;
  readonly subscribed_at: Date;
  readonly last_opened_at: Date | null;
  readonly custom_fields: Record<string, unknown>;
  readonly sequence_ids: string[];
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly tags: readonly { readonly id: string; readonly name: string }[];
}

/**
 * What to select from `subscribers s`. `offset 0` keeps the server from turning the two steps round: right after a large
 * import it takes a person to have a thousand tags, and would look at every tag there is for each person.
 */
export const subscriberColumns: RawBuilder<unknown> = sql`
  s.id, s.email, s.name, s.status, s.country, s.subscribed_at, s.last_opened_at, s.custom_fields, s.sequence_ids,
  s.created_at, s.updated_at,
  coalesce((select jsonb_agg(jsonb_build_object('id', t.id, 'name', t.name) order by t.name_key)
            from subscriber_tags st cross join lateral (select * from tags where id = st.tag_id offset 0) t
            where st.subscriber_id = s.id), '[]') as tags`;
