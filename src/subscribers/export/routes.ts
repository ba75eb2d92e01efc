import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { rolesWith } from '#console/access/roles.ts';
import { jsonResponse, sendOnce } from '#http/idempotency/wire-response.ts';
import { getPrincipal } from '#http/principal.ts';
import { isUuid } from '#lib/ids.ts';
import { findDelivery } from '#storage/artifacts.ts';
import { findJob, findJobOf, type JobRecord, listJobs } from '#storage/jobs/find-jobs.ts';
import { isIssuerLive } from '#storage/keys/api-keys.ts';
import { readOnly } from '#storage/read-replica.ts';
import { pageQuery } from '../contract.ts';
import { issuerOf, makeDownloadToken } from '../downloads/download-token.ts';
import { isDeliverable, sendArtifact } from '../downloads/send-artifact.ts';
import { decodeCursor, pageOf } from '../http/cursor.ts';
import { identify } from '../http/idempotency.ts';
import { gone, idFrom } from '../http/refusals.ts';
import { fileHeaders, type RouteKit, type SurfaceApp, text } from '../http/route-kit.ts';
import { jobParams as params } from '../import/contract.ts';
import { exportBody, exportItem, exportList } from './contract.ts';
import type { ExportOutcome } from './export-input.ts';
import { EXPORT_KIND } from './kind.ts';
import { planExport } from './plan-export.ts';
import { showAcceptedExport, showExport, showExportSummary } from './views.ts';

const downloadParams = params.extend({
  token: z.string().describe('The secret of the link'),
  file_name: z.string().meta({ description: 'Name of the file', examples: ['subscribers-2026-11-17.csv'] }),
});
const CSV_EXAMPLE =
  'email,name,status,country,subscribed_at,last_opened_at,tags\nann@example.com,Ann Lee,Active,DE,2026-11-17T09:15:00.000Z,,Newsletter\n';
const NDJSON_EXAMPLE = '{"email":"ann@example.com","name":"Ann Lee","status":"Active"}\n';
const tags = ['Jobs'];

export function exportRoutes(app: SurfaceApp, { deps, requests, open, openOnce, baseUrl }: RouteKit): void {
  const { db, clock, blobs } = deps;
  const read = open(['subscribers:export']);
  const linkOf = async (request: FastifyRequest, job: JobRecord) => {
    const delivery = job.state === 'completed' ? await findDelivery(db, job.id) : undefined;
    if (delivery === undefined) return undefined;
    const { fileName } = job.outcome as unknown as ExportOutcome;
    const token = makeDownloadToken(deps, job.id, getPrincipal(request).keyId);
    const url = `${baseUrl(request)}/v1/downloads/${job.id}/${token}/${fileName}`;
    return { url: isDeliverable(delivery, clock.now()) ? url : null, expiresAt: delivery.expires_at };
  };

  app.post(
    '/jobs/subscriber-exports',
    {
      ...openOnce(['subscribers:export']),
      schema: {
        operationId: 'createSubscriberExportJob',
        summary: 'Export subscribers',
        description:
          'Starts an export of the subscribers that match the filters. Read the job until it has a `download_url`.',
        tags,
        body: exportBody,
        response: { 202: exportItem },
      },
    },
    async (request, reply) => {
      const { accountId } = getPrincipal(request);
      await deps.room.require(accountId);
      const { query, status, cold_only, format } = request.body ?? {};
      const identified = identify(requests, request, EXPORT_KIND);
      // Planned only for a new request: a replay returns the first response.
      const accept = async () => {
        const input = await planExport(deps, accountId, {
          selection: { query: query ?? null, status: status ?? null, coldOnly: cold_only === true },
          format: format ?? 'csv',
        });
        return requests.accept(identified, {
          kind: EXPORT_KIND,
          input,
          requestId: request.id,
          response: ({ id, createdAt }) =>
            jsonResponse(202, { data: showAcceptedExport(id, createdAt, input) }),
          refused: (outcome) => new Error(`bug: an export was not accepted: ${outcome}`),
        });
      };
      await sendOnce(reply, await requests.once(identified, accept));
    },
  );

  app.get(
    '/jobs/subscriber-exports',
    {
      ...read,
      schema: {
        operationId: 'listSubscriberExportJobs',
        summary: 'List export jobs',
        description: 'Lists the exports of the account, newest first.',
        tags,
        querystring: pageQuery,
        response: { 200: exportList },
      },
    },
    async (request) => {
      const { accountId } = getPrincipal(request);
      const { limit, starting_after } = request.query;
      const after = decodeCursor(starting_after);
      const page = { accountId, kind: EXPORT_KIND, limit, ...(after !== undefined && { after }) };
      const jobs = await readOnly(db, (reader) => listJobs(reader, page));
      return pageOf(jobs, limit, showExportSummary);
    },
  );

  app.get(
    '/jobs/subscriber-exports/:job_id',
    {
      ...read,
      schema: {
        operationId: 'getSubscriberExportJob',
        summary: 'Get an export job',
        description: 'Returns the state of an export and, once it has completed, a link to its file.',
        tags,
        params,
        response: { 200: exportItem },
      },
    },
    async (request) => {
      const id = idFrom(request.params.job_id, 'export job');
      const job = await findJobOf(db, getPrincipal(request).accountId, EXPORT_KIND, id);
      if (job === undefined) throw gone('export job');
      return { data: showExport(job, await linkOf(request, job)) };
    },
  );

  // Presigned: the link itself grants access, until it expires or its issuer (a key or a person) can no longer read exports.
  app.get(
    '/downloads/:job_id/:token/:file_name',
    {
      config: {
        public: true,
        documentedResponses: {
          200: {
            description: 'The file, in the format of the export',
            content: { 'text/csv': text(CSV_EXAMPLE), 'application/x-ndjson': text(NDJSON_EXAMPLE) },
          },
        },
        documentedResponseHeaders: { 200: fileHeaders },
        errors: ['resource_not_found'],
      },
      schema: {
        operationId: 'downloadSubscriberExport',
        summary: 'Download an export through its presigned link',
        description:
          'Sends the file. The link itself grants access, until it expires or the key that received it is revoked.',
        tags,
        params: downloadParams,
      },
    },
    async (request, reply) => {
      const { job_id: id, token } = request.params;
      const issuer = isUuid(id) ? issuerOf(deps, id.toLowerCase(), token) : undefined;
      const job = issuer === undefined ? undefined : await findJob(db, id);
      const known = job?.kind === EXPORT_KIND ? (job.outcome as unknown as ExportOutcome | null) : null;
      if (job === undefined || issuer === undefined || known === null) throw gone('download');
      const now = clock.now();
      const [delivery, live] = await Promise.all([
        findDelivery(db, job.id),
        isIssuerLive(db, { accountId: job.account_id, issuer, roles: rolesWith['view-data'] }, now),
      ]);
      if (!live || !isDeliverable(delivery, now)) throw gone('download');
      return sendArtifact(reply, blobs, delivery, known.fileName);
    },
  );
}
