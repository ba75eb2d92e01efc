import { z } from 'zod';
import { listOf } from './list.ts';

export const searchHit = z.strictObject({
  type: z.enum(['job', 'delivery', 'request_key', 'key', 'account']),
  id: z.string(),
  title: z.string(),
  subtitle: z.string(),
  /** The route of the web app that shows it. */
  path: z.string(),
});
export type SearchHit = z.infer<typeof searchHit>;

export const searchHits = z.strictObject({ hits: listOf(searchHit) });
export type SearchHits = z.infer<typeof searchHits>;
