import type { FastifyRequest } from 'fastify';
import type { Clock } from '#lib/clock.ts';
import type { Ids } from '#lib/ids.ts';
import { insertAction, type NewAction } from '#storage/console/audit.ts';
import type { Db, Tx } from '#storage/database.ts';
import { getOperator } from '../session/session-guard.ts';

export interface OperatorAction {
  /** `key.created`, `account.changed`, `delivery.redelivered`, `quarantine.released` … */
  readonly action: string;
  readonly accountId?: string;
  readonly target?: string;
  /** Never a secret. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Stores an action of the signed-in operator in the audit log; in a transaction, with the change that it describes. */
export function recordAction(
  { db, clock, ids }: { readonly db: Db | Tx; readonly clock: Clock; readonly ids: Ids },
  request: FastifyRequest,
  action: OperatorAction,
  operatorId: string = getOperator(request).operatorId,
): Promise<void> {
  return insertAction(db, actionOf({ clock, ids }, request, action, operatorId));
}

/** The entry of an action, before it is stored. */
export function actionOf(
  { clock, ids }: { readonly clock: Clock; readonly ids: Ids },
  request: FastifyRequest,
  { action, accountId, target, details }: OperatorAction,
  operatorId: string = getOperator(request).operatorId,
): NewAction {
  return {
    id: ids.uuid(),
    operatorId,
    action,
    accountId: accountId ?? null,
    target: target ?? null,
    details: details ?? null,
    requestId: request.id,
    at: clock.now(),
  };
}
