import { type CallOptions, callJson } from '../../api/operator-client.ts';
import { newCorrelationId } from './correlation-id.ts';

/** A partner of an account. */
export interface Partner {
  readonly account: string;
  readonly partner: string;
}

/** Calls the Ingest surface on behalf of a partner. Every write gets its own correlation id. */
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
