// Receives webhooks of all three APIs with Fastify. Usage: node fastify.ts, with BULKFILL_SECRET, SUBSCRIBERS_SECRET, INGEST_SECRET
import { RowpressError, verifyWebhook } from '@rowpress/client';
import Fastify from 'fastify';

const secrets = {
  bulkfill: process.env.BULKFILL_SECRET ?? '',
  subscribers: process.env.SUBSCRIBERS_SECRET ?? '',
  ingest: process.env.INGEST_SECRET ?? '',
};
/** Keep this in your database: a receiver can get an event twice. */
const seen = new Set<string>();

const app = Fastify();
// The signature covers the raw bytes, so the body must not be parsed.
app.removeAllContentTypeParsers();
app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

app.post<{ Params: { scheme: 'bulkfill' | 'subscribers' | 'ingest'; '*': string } }>(
  '/hooks/:scheme',
  async (request, reply) => {
    const { scheme } = request.params;
    const secret = secrets[scheme];
    if (secret === undefined) return reply.code(404).send();
    try {
      const event = verifyWebhook({ scheme, headers: request.headers, body: request.body as Buffer, secret });
      const id = 'eventId' in event ? event.eventId : event.id;
      if (!seen.has(id)) console.log('event' in event ? event.event : event.type, id);
      seen.add(id);
      return reply.code(204).send();
    } catch (error) {
      if (error instanceof RowpressError) return reply.code(401).send();
      throw error;
    }
  },
);

const url = await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT ?? 9080) });
console.log(`listening at ${url}`);
