import { z } from 'zod';

/** One event that a surface sends, as a path item of the document's `webhooks`. */
export function webhookEvent(tag: string, summary: string, body: z.ZodType): object {
  return {
    post: {
      summary,
      tags: [tag],
      description: 'A 2xx within 10 seconds completes the delivery; any other result is retried.',
      requestBody: {
        required: true,
        content: { 'application/json': { schema: z.toJSONSchema(body, { target: 'draft-2020-12' }) } },
      },
      responses: { '2XX': { description: 'Received; the event is not sent again' } },
    },
  };
}
