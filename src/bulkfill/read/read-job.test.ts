import type { FastifyRequest } from 'fastify';
import type { KyselyPlugin } from 'kysely';
import { expect, test } from 'vitest';
import { type Principal, setPrincipal } from '#http/principal.ts';
import { startTestEngine } from '../../../test/support/engine.ts';
import { sumKind } from '../../../test/support/example-kind.ts';
import { directHandOff } from '../artifact/hand-off.ts';
import { EXPORT_KIND } from '../export-input.ts';
import type { BulkfillParts } from '../parts.ts';
import { listExportJobs } from './read-job.ts';

const artifact = { mediaType: 'application/zip', etag: 'e', parts: {}, blobs: [] };

test('[BF82] a page of export jobs: two statements, whatever the number of jobs', async () => {
  let sizeBytes = 0;
  const finish = async () => {
    sizeBytes += 1;
    return { state: 'completed' as const, artifact: { ...artifact, sizeBytes } };
  };
  const engine = await startTestEngine({ kind: { ...sumKind(), finish } });
  engine.work();
  const { db, pool } = engine.parts.database;
  for (let n = 0; n < 5; n += 1) {
    const answer = await engine.engine.accept({
      accountId: engine.accountId,
      kind: 'example.sum',
      input: { count: 1, sliceSize: 1 },
    });
    if (answer.outcome !== 'accepted') throw new Error(answer.outcome);
    await engine.engine.wait(answer.job.id, 20_000);
  }
  await pool.query('update jobs set kind = $1', [EXPORT_KIND]);
  let statements = 0;
  const counter: KyselyPlugin = {
    transformQuery: ({ node }) => {
      statements += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const request = {} as FastifyRequest;
  setPrincipal(request, { accountId: engine.accountId } as Principal);
  const { clock } = engine.parts;
  const parts = { db: db.withPlugin(counter), clock, handOff: directHandOff } as unknown as BulkfillParts;
  const { data } = await listExportJobs(parts, request, { limit: 25 });
  expect(data.map(({ result }) => result?.file_size_bytes)).toEqual([5, 4, 3, 2, 1]);
  expect(statements).toBe(2);
});
