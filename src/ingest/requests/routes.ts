import type { IngestApp, RouteKit } from '../route-kit.ts';
import { listClientCertificates, registerCertificate, revokeClientCertificate } from './certificates.ts';
import * as contract from './contract.ts';
import { readRequest } from './read-request.ts';

/** The routes of stored requests and of client certificates. */
export function requestRoutes(app: IngestApp, { parts, read, write, idOf }: RouteKit): void {
  app.get('/requests/:id', {
    ...read(
      {
        operationId: 'getIngestRequest',
        summary: 'Read the request of a correlation id',
        description: 'Answers the question whether a write took effect, for a client that lost the response.',
        params: contract.requestParams,
      },
      contract.requestSchema,
    ),
    handler: (request) => readRequest(parts, request, idOf(request)),
  });
  app.get('/certificates', {
    ...read(
      {
        operationId: 'listCertificates',
        summary: 'List client certificates',
        description: 'Lists the client certificates of the partner, including revoked ones.',
      },
      contract.certificateListSchema,
    ),
    handler: (request) => listClientCertificates(parts, request),
  });
  app.post(
    '/certificates',
    write(
      {
        operationId: 'registerCertificate',
        summary: 'Register the client certificate of this connection',
        description: 'Makes the certificate that this connection presents a credential of the partner.',
      },
      { 201: contract.certificateSchema },
      (request, first) => registerCertificate(parts, request, first),
      { body: { 'application/json': contract.certificateBody }, errors: ['certificate-not-presented'] },
    ),
  );
  app.post(
    '/certificates/:id/revoke',
    write(
      {
        operationId: 'revokeCertificate',
        summary: 'Revoke a client certificate',
        description: 'Ends the validity of a certificate. It cannot be registered again.',
        params: contract.certificateParams,
      },
      { 200: contract.certificateSchema },
      (request, first) => revokeClientCertificate(parts, first, idOf(request)),
    ),
  );
}
