import type { IngestApp, RouteKit } from '../route-kit.ts';
import * as contract from './contract.ts';
import { createReceiver, listWebhooks, readSecret, removeWebhook, rotateSecret } from './manage-receivers.ts';

export function webhookRoutes(app: IngestApp, { parts, read, write, idOf }: RouteKit): void {
  const params = contract.webhookParams;
  app.get('/webhooks', {
    ...read(
      {
        operationId: 'listIngestWebhooks',
        summary: 'List webhooks',
        description: 'Lists the receivers of the partner, without their secrets.',
      },
      contract.webhookListSchema,
    ),
    handler: (request) => listWebhooks(parts, request),
  });
  app.post(
    '/webhooks',
    write(
      {
        operationId: 'createIngestWebhook',
        summary: 'Register a webhook',
        description: 'Registers a receiver of events. Read its signing secret with `getIngestWebhookSecret`.',
      },
      { 201: contract.webhookSchema },
      (_request, first) => createReceiver(parts, first),
      { body: { 'application/json': contract.webhookBody } },
    ),
  );
  app.get('/webhooks/:id/secret', {
    ...read(
      {
        operationId: 'getIngestWebhookSecret',
        summary: 'Read the signing secret',
        description: 'Returns the secret with which a receiver verifies the signature of events.',
        params,
      },
      contract.secretSchema,
    ),
    handler: (request) => readSecret(parts, request, idOf(request)),
  });
  app.post(
    '/webhooks/:id/rotate-secret',
    write(
      {
        operationId: 'rotateIngestWebhookSecret',
        summary: 'Rotate the signing secret; the old one stays valid for a day',
        description: 'Creates a new secret. For a day, events carry a signature of each secret.',
        params,
      },
      { 200: contract.webhookSchema },
      (request, first) => rotateSecret(parts, first, idOf(request)),
    ),
  );
  app.post(
    '/webhooks/:id/remove',
    write(
      {
        operationId: 'removeIngestWebhook',
        summary: 'Remove a webhook',
        description: 'Ends the deliveries to a receiver, and returns it as it was.',
        params,
      },
      { 200: contract.webhookSchema },
      (request, first) => removeWebhook(parts, first, idOf(request)),
    ),
  );
}
