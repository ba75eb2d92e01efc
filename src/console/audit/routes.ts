import { Readable } from 'node:stream';
import { listActions, readChain, readMarks } from '#storage/console/audit.ts';
import { findOperatorNames } from '#storage/console/operators.ts';
import type { Db } from '#storage/database.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { operatorActionPage } from '../contract/audit.ts';
import type { OperatorApp } from '../operator-app.ts';
import { badCursor, pageOf, pageQuery } from '../page.ts';
import { linkOf, operatorOf } from './audit-link.ts';
import { recordAction } from './record-action.ts';

/** The audit log: a list, newest first, and the whole log as a file. */
export function auditRoutes(app: OperatorApp, parts: ConsoleParts): void {
  const { db } = parts;

  app.get(
    '/audit',
    {
      config: { needs: 'inspect' },
      schema: { querystring: pageQuery, response: { 200: operatorActionPage } },
    },
    async (request) => {
      const { limit, cursor } = request.query;
      const rows = await listActions(db, { before: seqCursor(cursor), limit });
      const operators = rows.map(operatorOf).filter((id) => id !== undefined);
      const names = await findOperatorNames(db, operators);
      return pageOf(
        rows,
        limit,
        (row) => ({
          id: row.id,
          seq: row.seq,
          at: row.at.toISOString(),
          operator: { id: row.operator_id, name: row.operator_name },
          action: row.action,
          account: row.account_name,
          target: row.target,
          details: row.details ?? null,
          link: linkOf(row, parts.views, names),
          request_id: row.request_id,
          hash: row.hash.toString('hex'),
        }),
        ({ seq }) => String(seq),
      );
    },
  );

  app.get('/audit/export', { config: { needs: 'inspect' } }, async (request, reply) => {
    await recordAction(parts, request, { action: 'audit.exported' });
    reply.headers({
      'content-type': 'application/x-ndjson',
      'content-disposition': 'attachment; filename="rowpress-audit.ndjson"',
    });
    return reply.send(Readable.from(exportLines(db), { objectMode: false }));
  });
}

/**
 * Read in batches without a transaction, because a client may take its time. If retention has deleted entries that were
 * not sent yet, the download fails, so that no file with such a gap looks complete.
 */
async function* exportLines(db: Db): AsyncGenerator<string> {
  const { checkpoint } = await readMarks(db);
  let next = checkpoint.seq + 1;
  for await (const entry of readChain(db, checkpoint)) {
    if (entry.seq !== next && (await readMarks(db)).checkpoint.seq >= next)
      throw new Error('audit entries were deleted while they were exported');
    next = entry.seq + 1;
    yield `${JSON.stringify(entry)}\n`;
  }
}

function seqCursor(cursor: string | undefined): number | undefined {
  if (cursor !== undefined && !/^\d{1,15}$/.test(cursor)) throw badCursor();
  return cursor === undefined ? undefined : Number(cursor);
}
