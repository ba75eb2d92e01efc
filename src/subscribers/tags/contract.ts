import { z } from 'zod';
import { freeText, label, self, timestamp } from '../contract.ts';

export const tag = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  gdpr_consent_purpose: z.null(),
  subscriber_count: z.number().int(),
  created_at: timestamp,
  updated_at: timestamp,
  self,
});

export const tagName = label(200);
export const description = freeText(2_000).nullish();
export const params = z.object({ tag_id: z.string() });
