import { isUuid } from '#lib/ids.ts';
import type { ListedAction } from '#storage/console/audit.ts';
import type { AuditLink } from '../contract/audit.ts';
import type { AllJobViews } from '../job-views.ts';

type Entry = Pick<ListedAction, 'action' | 'account_name' | 'target' | 'details'>;

/** Links an entry to the screen of what it is about. Returns null if there is none, such as for a search. */
export function linkOf(
  entry: Entry,
  views: Pick<AllJobViews, 'parseId'>,
  operatorNames: ReadonlyMap<string, string>,
): AuditLink | null {
  const operatorId = operatorOf(entry);
  if (operatorId !== undefined) {
    const name = operatorNames.get(operatorId) ?? operatorId;
    return { kind: 'operator', name, path: `/console/operators?operator=${operatorId}` };
  }
  const { action, target, account_name: account } = entry;
  if (action.startsWith('account.') && account !== null)
    return { kind: 'account', name: account, path: `/console/accounts?${query({ account })}` };
  if (target === null) return null;
  if (action.startsWith('key.'))
    return { kind: 'key', name: target, path: `/console/keys?${query({ key: target })}` };
  if (isUuid(target) && (action.startsWith('delivery.') || action === 'webhook.tested'))
    return { kind: 'delivery', name: target, path: `/console/deliveries/${target}` };
  const jobId = jobOf(entry, views);
  return jobId === undefined ? null : { kind: 'job', name: jobId, path: `/console/jobs/${jobId}` };
}

const query = (members: Record<string, string>) => new URLSearchParams(members).toString();

const ABOUT_OPERATORS = new Set([
  'operator.created',
  'operator.linked',
  'operator.removed',
  'operator.role-changed',
  'link.created',
  'sessions.revoked',
]);

/** Acts on operators and their sessions, links and passkeys name the operator by id. */
export function operatorOf({ action, target, details }: Entry): string | undefined {
  const about = (details as { operator_id?: unknown } | null)?.operator_id;
  if (action === 'session.revoked' || action.startsWith('passkey.'))
    return typeof about === 'string' ? about : undefined;
  if (!ABOUT_OPERATORS.has(action)) return undefined;
  return target !== null && isUuid(target) ? target : undefined;
}

/** The job that a request created, or that its path names: `/export-jobs/{id}/retry`. */
function jobOf({ action, target, details }: Entry, views: Pick<AllJobViews, 'parseId'>): string | undefined {
  const made = (details as { job_id?: unknown } | null)?.job_id;
  if (typeof made === 'string') return views.parseId(made);
  const segments = (target ?? '').split('/');
  const place = segments.findIndex((segment) => /jobs$|^downloads$/.test(segment));
  // The console's own route names the job by its id alone.
  const candidates = place === -1 ? (action.startsWith('job.') ? segments : []) : segments.slice(place + 1);
  return candidates.map((segment) => views.parseId(segment)).find((id) => id !== undefined);
}
