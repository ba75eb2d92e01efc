import { Readable } from 'node:stream';
import { z } from 'zod';
import { type ActionFilter, listActions, readChain, readMarks } from '#storage/console/audit.ts';
import { findOperatorNames } from '#storage/console/operators.ts';
import type { Db } from '#storage/database.ts';
import { readOnly } from '#storage/read-replica.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { operatorActionPage } from '../contract/audit.ts';
import { refuse } from '../errors.ts';
import type { OperatorApp } from '../operator-app.ts';
import { badCursor, idFrom, pageOf, pageQuery } from '../page.ts';
import { csvLines } from './audit-csv.ts';
import { linkOf, operatorOf } from './audit-link.ts';
import { recordAction } from './record-action.ts';

const filters = {
  operator: z.string().max(100).optional(),
  /** An action, or its beginning. */
  action: z.string().max(100).optional(),
  from: z.iso.datetime().optional(),
  to: z.iso.datetime().optional(),
};
type Filters = z.output<z.ZodObject<typeof filters>>;

const filterOf = ({ operator, action, from, to }: Filters): ActionFilter => ({
  operatorId: operator ? idFrom(operator, 'operator') : undefined,
  action: action || undefined,
  from: from === undefined ? undefined : new Date(from),
  to: to === undefined ? undefined : new Date(to),
});

/** The audit log: a list, newest first, and the whole log as a file. */
export function auditRoutes(app: OperatorApp, parts: ConsoleParts): void {
  const { db } = parts;

  app.get(
    '/audit',
    {
      config: { needs: 'inspect' },
      schema: { querystring: pageQuery.extend(filters), response: { 200: operatorActionPage } },
    },
    async (request) => {
      const { limit, cursor } = request.query;
      const filter = filterOf(request.query);
      const { rows, names } = await readOnly(db, async (reader) => {
        const rows = await listActions(reader, { ...filter, before: seqCursor(cursor), limit });
        const operators = rows.map(operatorOf).filter((id) => id !== undefined);
        return { rows, names: await findOperatorNames(reader, operators) };
      });
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

  const exportQuery = z.object({ format: z.enum(['ndjson', 'csv']).default('ndjson'), ...filters });
  const exportOptions = { config: { needs: 'inspect' as const }, schema: { querystring: exportQuery } };
  app.get('/audit/export', exportOptions, async (request, reply) => {
    const { format, ...chosen } = request.query;
    const filter = filterOf(chosen);
    const isFiltered = Object.values(filter).some((value) => value !== undefined);
    // A chain with gaps cannot be verified, so only a table may leave entries out.
    if (format === 'ndjson' && isFiltered)
      throw refuse('INVALID_FIELD', 'The NDJSON export contains all entries. Use format=csv with filters.', {
        members: { field: 'format' },
      });
    await recordAction(parts, request, {
      action: 'audit.exported',
      ...(format === 'csv' && { details: { format, ...chosen } }),
    });
    if (format === 'csv') {
      reply.headers({
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': 'attachment; filename="rowpress-audit.csv"',
      });
      return reply.send(Readable.from(csvLines(db, filter), { objectMode: false }));
    }
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
