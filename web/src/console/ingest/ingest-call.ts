import { type CallOptions, callJson } from '../../api/operator-client.ts';
import { newCorrelationId } from './correlation-id.ts';

/** Whose items: a partner of an account. */
export interface Partner {
  readonly account: string;
  readonly partner: string;
}

/** A call of the Ingest surface on behalf of a partner. Every write is a request of its own and names itself. */
export function callIngest<Body>(of: Partner, path: string, options: CallOptions = {}): Promise<Body> {
  const write = options.method !== undefined && options.method !== 'GET';
  return callJson<Body>(`/acting/ingest${path}`, {
    ...options,
    account: of.account,
    headers: {
      'x-rowpress-partner': of.partner,
      ...(write && { 'x-correlation-id': newCorrelationId() }),
    },
  });
}
