import type { z } from 'zod';
import type { TagRecord } from '#storage/subscribers/tags.ts';
import { iso } from '../views.ts';
import type { tag } from './contract.ts';

export function showTag(record: TagRecord): z.infer<typeof tag> {
  const { id, name, description, subscriber_count } = record;
  return {
    id,
    name,
    description,
    gdpr_consent_purpose: null,
    subscriber_count,
    created_at: iso(record.created_at),
    updated_at: iso(record.updated_at),
    self: `/v1/tags/${id}`,
  };
}
