import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { isUuid } from '#lib/ids.ts';
import { findDelivery } from '#storage/artifacts.ts';
import {
  findBodyParts,
  listAllJobs,
  listInputBlobs,
  listJobsById,
  sumSlices,
} from '#storage/console/jobs.ts';
import { listDeliveries } from '#storage/console/list-deliveries.ts';
import { getJob } from '#storage/jobs/find-jobs.ts';
import { readOnly } from '#storage/read-replica.ts';
import { onlyAccount } from '../access/signed-in-person.ts';
import { accountFilter, seesAccount } from '../accounts/find-named-account.ts';
import { recordAction } from '../audit/record-action.ts';
import type { ConsoleParts } from '../console-parts.ts';
import type { Need } from '../contract/access.ts';
import { jobDetail, jobPage, job as jobSchema, jobState, problemRowPage } from '../contract/jobs.ts';
import { showDelivery } from '../deliveries/delivery-view.ts';
import { refuse } from '../errors.ts';
import type { OperatorApp } from '../operator-app.ts';
import { badCursor, nothing, pageOf, pageQuery, searchText } from '../page.ts';
import { shortDigests } from '../request-keys/short-digests.ts';
import { showFiles } from './job-files.ts';
import { showJob } from './job-view.ts';
import { JobWatcher } from './job-watcher.ts';
import { requireUnlessRun, seenSurfaces, seesData } from './seen-surfaces.ts';
import { streamJobs } from './stream-jobs.ts';

const params = z.object({ id: z.string() });
const listQuery = (surfaces: readonly string[]) =>
  pageQuery.extend({
    surface: z.enum(surfaces).optional(),
    state: jobState.optional(),
    account: z.string().optional(),
    q: searchText.optional(),
  });
const problemQuery = pageQuery.extend({
  cursor: z
    .string()
    .regex(/^\d{1,9}(\.\d{1,9})?$/, 'must be a next_cursor from an earlier page of this list')
    .optional(),
});
/** Maximum number of deliveries in the response. Every redelivery adds one. */
const DELIVERIES_SHOWN = 100;

/** Jobs of all surfaces: list, read, problem rows, event stream, cancel. */
export function jobRoutes(app: OperatorApp, parts: ConsoleParts, shutdown: AbortSignal): void {
  const { db, clock, engine, views } = parts;
  const watcher = new JobWatcher(db, parts.signals, parts.onError);

  /** By the UUID or by the id that the surface shows. `need`: what a job that is not a run needs. */
  const find = async (request: FastifyRequest, text: string, need: Need) => {
    const id = views.parseId(text);
    const [job] = id === undefined ? [] : await listJobsById(db, [id]);
    if (job === undefined || !seesAccount(request, job.account_id)) throw nothing('job');
    requireUnlessRun(request, parts, job.kind, need);
    return job;
  };

  app.get(
    '/jobs',
    {
      config: { needs: 'view-runs' },
      schema: { querystring: listQuery(parts.keyKinds.surfaces), response: { 200: jobPage } },
    },
    async (request) => {
      const { surface, state, account, q, limit, cursor } = request.query;
      const text = q?.trim() || undefined;
      const filter = {
        surface,
        surfaces: seenSurfaces(request, parts),
        state,
        accountId: await accountFilter(db, request, account),
        search: text === undefined ? undefined : { text, ids: views.idParts(text) },
        after: cursor === undefined ? undefined : decodeCursor(cursor),
        limit,
      };
      const rows = await readOnly(db, (reader) => listAllJobs(reader, filter));
      return pageOf(
        rows,
        limit,
        (job) => showJob(job, views),
        ({ created_at, id }) => `${created_at.getTime()}.${id}`,
      );
    },
  );

  app.get('/jobs/stream', { config: { needs: 'view-runs' } }, async (request, reply) =>
    streamJobs(
      watcher,
      { views, accountId: onlyAccount(request), surfaces: seenSurfaces(request, parts) },
      reply,
      shutdown,
    ),
  );

  app.get(
    '/jobs/:id',
    { config: { needs: 'view-runs' }, schema: { params, response: { 200: jobDetail } } },
    async (request) => {
      const job = await find(request, request.params.id, 'view-data');
      const { id } = job;
      const [slices, inputs, bodyParts, artifact, deliveries, record] = await Promise.all([
        sumSlices(db, id),
        listInputBlobs(db, id),
        findBodyParts(db, id),
        findDelivery(db, id),
        seesData(request) ? listDeliveries(db, { jobId: id, limit: DELIVERIES_SHOWN }) : [],
        getJob(db, id),
      ]);
      // A job that reuses a result has no inputs of its own.
      const worked = job.reused_from === null ? inputs : await listInputBlobs(db, job.reused_from);
      const active =
        artifact !== undefined && artifact.purged_at === null && artifact.expires_at > clock.now();
      return {
        ...showJob(job, views),
        reused_from: job.reused_from,
        slices,
        artifact:
          artifact === undefined
            ? null
            : {
                media_type: artifact.media_type,
                size_bytes: artifact.size_bytes,
                expires_at: artifact.expires_at.toISOString(),
                available: active,
                download_path: active ? views.downloadPath(record) : null,
              },
        inputs: inputs.map(({ sha256, size_bytes }) => ({ sha256, size_bytes })),
        files: showFiles(views.files(record), worked),
        retry: (await views.retry(record)) ?? null,
        body_parts: bodyParts === undefined ? null : shortDigests(bodyParts),
        outcome: record.outcome ?? null,
        error_details: record.error_details ?? null,
        deliveries: deliveries.map(showDelivery),
      };
    },
  );

  app.post(
    '/jobs/:id/cancel',
    { config: { needs: 'run' }, schema: { params, response: { 200: jobSchema } } },
    async (request) => {
      const { id } = await find(request, request.params.id, 'design');
      const cancelled = await engine.cancel(id, (tx, { account_id: accountId }) =>
        recordAction({ ...parts, db: tx }, request, { action: 'job.cancelled', accountId, target: id }),
      );
      if (!cancelled) throw refuse('JOB_SETTLED');
      return showJob(await find(request, id, 'design'), views);
    },
  );

  const problemSchema = { params, querystring: problemQuery, response: { 200: problemRowPage } };
  app.get(
    '/jobs/:id/problem-rows',
    { config: { needs: 'view-runs' }, schema: problemSchema },
    async (request) => {
      const { id } = await find(request, request.params.id, 'view-data');
      const { cursor, limit } = request.query;
      const rows = await views.problemRows(await getJob(db, id), { cursor, limit });
      if (rows === undefined) throw refuse('PROBLEM_ROWS_GONE');
      return rows;
    },
  );
}

function decodeCursor(cursor: string): { createdAt: Date; id: string } {
  const [time = '', id = ''] = cursor.split('.', 2);
  if (!/^\d{1,15}$/.test(time) || !isUuid(id)) throw badCursor();
  return { createdAt: new Date(Number(time)), id };
}
