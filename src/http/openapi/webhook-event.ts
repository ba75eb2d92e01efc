import type { z } from 'zod';
import { mediaType } from './media-type.ts';

/** One event that a surface sends, as the document describes it. */
export interface WebhookEvent {
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** The body, with an example in its metadata. */
  readonly body: z.ZodType;
}

const DELIVERY = 'A 2xx within 10 seconds completes the delivery; any other result is retried.';

/** The path item of an event in `webhooks`. */
export function webhookItem(name: string, { tag, summary, description, body }: WebhookEvent): object {
  const words = name.split(/[^a-z]+/).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return {
    post: {
      operationId: `receive${words.join('')}`,
      summary,
      description: description === undefined ? DELIVERY : `${description} ${DELIVERY}`,
      tags: [tag],
      security: [],
      requestBody: { required: true, content: { 'application/json': mediaType(body, 'output') } },
      responses: { '2XX': { description: 'Received; the event is not sent again' } },
    },
  };
}
