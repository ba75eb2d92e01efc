import type { FastifyRequest } from 'fastify';
import { refuse } from '../errors.ts';
import type { IngestApp, RouteKit } from '../route-kit.ts';
import * as contract from './contract.ts';
import { discardQuarantine, releaseQuarantine } from './end-quarantine.ts';
import { listQuarantineRecords, readQuarantine } from './read-quarantine.ts';
import { redriveQuarantine } from './redrive.ts';

export function quarantineRoutes(app: IngestApp, { parts, read, write, idOf }: RouteKit): void {
  const params = contract.quarantineParams;
  app.get('/quarantine', {
    ...read(
      {
        operationId: 'listQuarantine',
        summary: 'List quarantine records, newest first',
        description: 'Lists items with a missing reference, and those whose quarantine has ended.',
        querystring: contract.quarantineQuery,
      },
      contract.quarantineListSchema,
    ),
    handler: (request) => listQuarantineRecords(parts, request, request.query),
  });
  app.get('/quarantine/:id', {
    ...read(
      {
        operationId: 'getQuarantineRecord',
        summary: 'Read a quarantine record',
        description: 'Returns the record with the item as it was sent, and the reason.',
        params,
      },
      contract.quarantineSchema,
    ),
    handler: (request) => readQuarantine(parts, request, idOf(request)),
  });
  app.post(
    '/quarantine/:id/release',
    write(
      {
        operationId: 'releaseQuarantine',
        summary: 'Release a quarantined item',
        description:
          'Stores the item although a reference is missing. Fails with 409 if the record is not open.',
        params,
      },
      { 200: contract.quarantineSchema },
      (request, first) => releaseQuarantine(parts, first, idOf(request)),
    ),
  );
  app.post(
    '/quarantine/:id/discard',
    write(
      {
        operationId: 'discardQuarantine',
        summary: 'Discard a quarantined item',
        description:
          'Ends the quarantine without storing the item. Fails with 409 if the record is not open.',
        params,
      },
      { 200: contract.quarantineSchema },
      (request, first) => discardQuarantine(parts, first, idOf(request)),
    ),
  );
  app.post(
    '/quarantine/redrive',
    write(
      {
        operationId: 'redriveQuarantine',
        summary: 'Evaluate quarantined items again',
        description: 'Accepts the open records whose references exist by now.',
        querystring: contract.documentedRedriveQuery,
      },
      { 200: contract.redrivenSchema },
      (request, first) => redriveQuarantine(parts, first, readRedrive(request)),
    ),
  );
}

function readRedrive(request: FastifyRequest): string | undefined {
  const query = contract.redriveQuery.safeParse(request.query);
  if (!query.success) throw refuse('malformed-request', 'collection must be the name of one collection.');
  return query.data.collection;
}
