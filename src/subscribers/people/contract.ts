import { z } from 'zod';
import type { TagMatch } from '#storage/subscribers/people.ts';
import { freeText, pageQuery, self, timestamp } from '../contract.ts';
import { MAX_NAME_CHARS } from '../import/row-plan.ts';
import { STATUSES } from './status.ts';

const ID = '0190a3c4-0000-7000-8000-00000000005a';
export const status = z.enum(STATUSES).meta({ id: 'SubscriberStatus' });

export const subscriber = z
  .object({
    id: z.string(),
    email: z.string(),
    name: z.string(),
    status,
    country: z.string().nullable(),
    subscribed_at: timestamp,
    last_opened_at: timestamp.nullable(),
    tags: z.array(z.object({ id: z.string(), name: z.string() })),
    sequence_ids: z.array(z.string()),
    custom_fields: z.record(z.string(), z.unknown()).describe('Values by the id of the custom field'),
    created_at: timestamp,
    updated_at: timestamp,
    self,
  })
  .meta({
    id: 'Subscriber',
    description: 'A subscriber',
    examples: [
      {
        id: ID,
        email: 'ann@example.com',
        name: 'Ann Lee',
        status: 'Active',
        country: 'DE',
        subscribed_at: '2026-11-17T09:15:00.000Z',
        last_opened_at: null,
        tags: [{ id: '0190a3c4-0000-7000-8000-00000000007a', name: 'Newsletter' }],
        sequence_ids: [],
        custom_fields: { '0190a3c4-0000-7000-8000-0000000000cf': 'M' },
        created_at: '2026-11-17T09:15:00.000Z',
        updated_at: '2026-11-17T09:15:00.000Z',
        self: `/v1/subscribers/${ID}`,
      },
    ],
  });
export const params = z.object({
  subscriber_id: z.string().meta({ description: 'Id of the subscriber', examples: [ID] }),
});

const name = freeText(MAX_NAME_CHARS).transform((text) => text.trim());
const country = z.string().max(100).nullish();
const subscribedOn = z.iso.date().nullish();
const fields = z.record(z.string(), z.unknown()).optional();
export const sequenceIds = z.array(freeText(200)).max(100);

export const upsertBody = z
  .object({
    email: z.string().max(1_000),
    name: name.nullish(),
    status: status.nullish(),
    country,
    subscribed_on: subscribedOn,
    create_only: z.boolean().optional().describe('true: fail with 409 if the email exists'),
    custom_fields: fields,
    tag_ids: z.array(z.string()).max(100).optional(),
    new_tags: z.array(z.string()).max(100).optional(),
    sequence_ids: sequenceIds.optional(),
  })
  .meta({
    id: 'UpsertSubscriber',
    examples: [{ email: 'ann@example.com', name: 'Ann Lee', status: 'Active', new_tags: ['Newsletter'] }],
  });

export const updateBody = z
  .object({
    email: z.string().max(1_000).optional(),
    name: name.optional(),
    status: status.optional(),
    country,
    subscribed_on: subscribedOn,
    custom_fields: fields,
  })
  .meta({ id: 'UpdateSubscriber', examples: [{ name: 'Ann Lee-Smith', country: 'FR' }] });

export const statusBody = z
  .object({ status })
  .meta({ id: 'UpdateSubscriberStatus', examples: [{ status: 'Unsubscribed' }] });

const several = z.union([z.string(), z.array(z.string())]).optional();
const flag = z.enum(['true', 'false']).optional();

const TAG_OPERATORS = [
  ...(['has_any_of', 'has_none_of', 'has_all_of'] as const),
  // Earlier spellings; clients may still send them.
  ...(['any', 'all', 'or', 'and', 'OR', 'AND', 'ANY', 'ALL'] as const),
] as const;

export const listQuery = pageQuery.extend({
  search: freeText(500).optional().describe('Part of an email or a name'),
  email: freeText(1_000).optional().describe('This email'),
  status: status.optional().describe('Only subscribers with this status'),
  cold_only: flag.describe('true: only subscribers who have not opened a message lately'),
  tag_id: several.describe('Id of a tag; may be repeated'),
  tag_ids: several.describe('Ids of tags, separated by commas'),
  tag_operator: z.enum(TAG_OPERATORS).default('has_any_of').describe('How the tags are combined'),
});

export function tagMatch(operator: (typeof TAG_OPERATORS)[number]): TagMatch {
  if (operator === 'has_none_of') return 'none';
  return /^(all|and|has_all_of)$/i.test(operator) ? 'all' : 'any';
}

/** `tag_id` may be repeated; `tag_ids` may be repeated or comma-separated. */
export function wantedTags(query: z.infer<typeof listQuery>): string[] {
  const list = (value: string | string[] | undefined) => (value === undefined ? [] : [value].flat());
  return [...list(query.tag_id), ...list(query.tag_ids).flatMap((text) => text.split(','))]
    .map((id) => id.trim())
    .filter((id) => id !== '');
}
