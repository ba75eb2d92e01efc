import { z } from 'zod';
import { freeText, label, self, timestamp } from '../contract.ts';

const ID = '0190a3c4-0000-7000-8000-00000000007a';
export const tag = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    gdpr_consent_purpose: z.null(),
    subscriber_count: z.number().int(),
    created_at: timestamp,
    updated_at: timestamp,
    self,
  })
  .meta({
    id: 'Tag',
    description: 'A tag',
    examples: [
      {
        id: ID,
        name: 'Newsletter',
        description: null,
        gdpr_consent_purpose: null,
        subscriber_count: 120,
        created_at: '2026-11-17T09:15:00.000Z',
        updated_at: '2026-11-17T09:15:00.000Z',
        self: `/v1/tags/${ID}`,
      },
    ],
  });

export const tagName = label(200);
const description = freeText(2_000).nullish();
export const createBody = z
  .object({ name: tagName, description })
  .meta({ id: 'CreateTag', examples: [{ name: 'Newsletter', description: 'Monthly letter' }] });
export const updateBody = z
  .object({ name: tagName.optional(), description })
  .meta({ id: 'UpdateTag', examples: [{ name: 'Monthly newsletter' }] });
export const tagId = z.string().meta({ description: 'Id of the tag', examples: [ID] });
export const params = z.object({ tag_id: tagId });
