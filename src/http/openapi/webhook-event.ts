import { z } from 'zod';

/** One event that a surface sends, as a path item of the document's `webhooks`. */
export function webhookEvent(tag: string, summary: string, body: z.ZodType): object {
  return {
    post: {
      summary,
      tags: [tag],
      description: 'Any 2xx within 10 seconds ends the delivery; anything else is tried again.',
      requestBody: {
        required: true,
        content: { 'application/json': { schema: z.toJSONSchema(body, { target: 'draft-2020-12' }) } },
      },
      responses: { '2XX': { description: 'Heard; it is not sent again' } },
    },
  };
}
