import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { sendEvents } from '#http/event-stream.ts';
import { getPrincipal } from '#http/principal.ts';
import { findDelivery } from '#storage/artifacts.ts';
import { findJobOf, type JobRecord, listJobs } from '#storage/jobs/find-jobs.ts';
import { readOnly } from '#storage/read-replica.ts';
import { listImportCounts } from '#storage/subscribers/imports.ts';
import { pageQuery } from '../contract.ts';
import { isDeliverable, sendArtifact } from '../downloads/send-artifact.ts';
import { decodeCursor, pageOf } from '../http/cursor.ts';
import { gone, idFrom, no } from '../http/refusals.ts';
import { fileHeaders, type RouteKit, type SurfaceApp, text } from '../http/route-kit.ts';
import { type ImportBody, importBody, importItem, importList, jobParams as params } from './contract.ts';
import { createImport } from './create-import.ts';
import { IMPORT_KIND } from './kind.ts';
import { readImportBodies } from './spooled-csv.ts';
import { importPath, showImport, showImportSummary } from './views.ts';
import { watchJob } from './watch-job.ts';

const FAILED_ROWS_EXAMPLE =
  'line,column,value,code,message,Email,Name\n3,Email,nobody,invalid_email,The email is not valid.,nobody,Bob\n';
const EVENT_EXAMPLE = 'event: progress\ndata: {"status":"Processing","progress":0.5}\n\n';
const tags = ['Jobs'];
const IMPORT_ERRORS = [
  'invalid_mapping',
  'unknown_csv_column',
  'duplicate_mapping',
  'email_mapping_required',
  'invalid_csv',
  'csv_too_large',
  'upload_not_ready',
  'upload_expired',
  'resource_conflict',
] as const;

export function importRoutes(
  app: SurfaceApp,
  { deps, requests, open, openOnce, baseUrl, shutdown }: RouteKit,
): void {
  const { db, clock, engine, blobs, settings } = deps;
  const read = open(['subscribers:import']);
  const find = async (request: FastifyRequest, path: { readonly job_id: string }): Promise<JobRecord> => {
    const id = idFrom(path.job_id, 'import job');
    const job = await findJobOf(db, getPrincipal(request).accountId, IMPORT_KIND, id);
    if (job === undefined) throw gone('import job');
    return job;
  };
  const show = async (request: FastifyRequest, job: JobRecord) => {
    const counts = (await listImportCounts(db, [job.id])).get(job.id);
    const report = job.rows_failed > 0 ? await findDelivery(db, job.id) : undefined;
    const url = isDeliverable(report, clock.now())
      ? `${baseUrl(request)}${importPath(job.id)}/failed-rows`
      : null;
    return showImport(job, counts, url);
  };

  void app.register(async (scope) => {
    readImportBodies(scope, deps);
    scope.post(
      '/jobs/subscriber-imports',
      {
        ...openOnce(['subscribers:import', 'live_actions:write'], IMPORT_ERRORS),
        // In JSON, line ends and quotes take two bytes each, non-ASCII letters up to six.
        bodyLimit: settings.maxCsvBytes * 2 + 4_000_000,
        errorHandler: sayCsvTooLarge,
        schema: {
          operationId: 'createSubscriberImportJob',
          summary: 'Import subscribers from a CSV, as text or from an upload',
          description:
            'Starts an import of the rows of a CSV. The last row of an email counts; failed rows are reported and do not stop the import.',
          tags,
          body: importBody,
          response: { 202: importItem },
        },
      },
      (request, reply) => createImport(deps, requests, request, reply, request.body as ImportBody),
    );
  });

  app.get(
    '/jobs/subscriber-imports',
    {
      ...read,
      schema: {
        operationId: 'listSubscriberImportJobs',
        summary: 'List import jobs',
        description: 'Lists the imports of the account, newest first.',
        tags,
        querystring: pageQuery,
        response: { 200: importList },
      },
    },
    async (request) => {
      const { accountId } = getPrincipal(request);
      const { limit, starting_after } = request.query;
      const after = decodeCursor(starting_after);
      const page = { accountId, kind: IMPORT_KIND, limit, ...(after !== undefined && { after }) };
      const { jobs, counts } = await readOnly(db, async (reader) => {
        const jobs = await listJobs(reader, page);
        const ids = jobs.map((job) => job.id);
        return { jobs, counts: await listImportCounts(reader, ids) };
      });
      return pageOf(jobs, limit, (job) => showImportSummary(job, counts.get(job.id)));
    },
  );

  app.get(
    '/jobs/subscriber-imports/:job_id',
    {
      ...read,
      schema: {
        operationId: 'getSubscriberImportJob',
        summary: 'Get an import job',
        description: 'Returns the state and the counts of an import.',
        tags,
        params,
        response: { 200: importItem },
      },
    },
    async (request) => ({ data: await show(request, await find(request, request.params)) }),
  );

  app.get(
    '/jobs/subscriber-imports/:job_id/failed-rows',
    {
      ...read,
      config: {
        ...read.config,
        documentedResponses: {
          200: { description: 'The failed rows', content: { 'text/csv': text(FAILED_ROWS_EXAMPLE) } },
        },
        documentedResponseHeaders: { 200: fileHeaders },
      },
      schema: {
        operationId: 'getSubscriberImportFailedRows',
        summary: 'Read the failed rows of an import, as CSV',
        description:
          'Returns the rows that were not imported, with the reason of each, in a form that can be corrected and imported again.',
        tags,
        params,
      },
    },
    async (request, reply) => {
      const job = await find(request, request.params);
      const report = await findDelivery(db, job.id);
      if (!isDeliverable(report, clock.now())) throw gone('report of failed rows');
      return sendArtifact(reply, blobs, report, `failed-rows-${job.id}.csv`);
    },
  );

  app.get(
    '/jobs/subscriber-imports/:job_id/events',
    {
      ...read,
      config: {
        ...read.config,
        documentedResponses: {
          200: {
            description: 'Events until the import ends',
            content: { 'text/event-stream': text(EVENT_EXAMPLE) },
          },
        },
      },
      schema: {
        operationId: 'watchSubscriberImportJob',
        summary: 'Stream progress as Server-Sent Events',
        description: 'Sends the import at every change, and ends after its last state.',
        tags,
        params,
      },
    },
    async (request, reply) => {
      const job = await find(request, request.params);
      return sendEvents(reply, { shutdown }, (leave) =>
        watchJob(engine, job.id, (now) => show(request, now), leave),
      );
    },
  );
}

/** The body of this route is mainly a CSV, so the message says CSV instead of payload. */
function sayCsvTooLarge(error: FastifyError, _request: FastifyRequest, _reply: FastifyReply): never {
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    throw no('csv_too_large', 'The CSV exceeds the size limit of this route.');
  throw error;
}
