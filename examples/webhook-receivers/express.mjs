// Receives webhooks of all three APIs with Express. Usage: npm install express, then node express.mjs,
// with BULKFILL_SECRET, SUBSCRIBERS_SECRET, INGEST_SECRET
import { RowpressError, verifyWebhook } from '@rowpress/client';
import express from 'express';

const secrets = {
  bulkfill: process.env.BULKFILL_SECRET ?? '',
  subscribers: process.env.SUBSCRIBERS_SECRET ?? '',
  ingest: process.env.INGEST_SECRET ?? '',
};
/** Keep this in your database: a receiver can get an event twice. */
const seen = new Set();

const app = express();
// The signature covers the raw bytes, so the body must not be parsed.
app.post('/hooks/:scheme', express.raw({ type: '*/*', limit: '1mb' }), (request, response) => {
  const { scheme } = request.params;
  const secret = secrets[scheme];
  if (secret === undefined) return response.sendStatus(404);
  try {
    const event = verifyWebhook({ scheme, headers: request.headers, body: request.body, secret });
    const id = event.eventId ?? event.id;
    if (!seen.has(id)) console.log(event.event ?? event.type, id);
    seen.add(id);
    return response.sendStatus(204);
  } catch (error) {
    if (error instanceof RowpressError) return response.sendStatus(401);
    throw error;
  }
});

const server = app.listen(Number(process.env.PORT ?? 9080), '127.0.0.1', () =>
  console.log(`listening at http://127.0.0.1:${server.address().port}`),
);
