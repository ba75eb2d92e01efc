import type { z } from 'zod';
import type { SubscriberRecord } from '#storage/subscribers/people.ts';
import { iso, isoOrNull } from '../views.ts';
import type { subscriber } from './contract.ts';
import type { Status } from './status.ts';

export function showSubscriber(record: SubscriberRecord): z.infer<typeof subscriber> {
  const { id, email, name, country, tags, sequence_ids, custom_fields } = record;
  return {
    id,
    email,
    name,
    status: record.status as Status,
    country,
    subscribed_at: iso(record.subscribed_at),
    last_opened_at: isoOrNull(record.last_opened_at),
    tags: [...tags],
    sequence_ids,
    custom_fields,
    created_at: iso(record.created_at),
    updated_at: iso(record.updated_at),
    self: `/v1/subscribers/${id}`,
  };
}
