import { listActions } from '../../storage/console/operator-actions.ts';
import type { ConsoleParts } from '../console-parts.ts';
import type { OperatorApp } from '../operator-app.ts';
import { pageOf, pageQuery, uuidCursor } from '../page.ts';

/** What operators did, newest first. */
export function auditRoutes(app: OperatorApp, { db }: ConsoleParts): void {
  app.get('/audit', { schema: { querystring: pageQuery } }, async (request) => {
    const { limit, cursor } = request.query;
    const rows = await listActions(db, { before: uuidCursor(cursor), limit });
    return pageOf(
      rows,
      limit,
      (row) => ({
        id: row.id,
        at: row.at.toISOString(),
        operator: { id: row.operator_id, name: row.operator_name },
        action: row.action,
        account: row.account_name,
        target: row.target,
        details: row.details ?? null,
        request_id: row.request_id,
      }),
      ({ id }) => id,
    );
  });
}
