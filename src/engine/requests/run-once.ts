import type { Tx } from '#storage/database.ts';
import { type StoredResponse, storeResponse } from '#storage/request-keys.ts';
import type { EngineParts } from '../engine-parts.ts';
import { claimOrFind, type RequestIdentity, type Taken } from './request-identity.ts';

export type RanOnce = { readonly outcome: 'ran'; readonly response: StoredResponse } | Taken;

/** Only a success is remembered: a refusal rolls back, key and all, so the caller may fix and resend. */
class NotRun extends Error {
  readonly answer: RanOnce;

  constructor(answer: RanOnce) {
    super(answer.outcome);
    this.answer = answer;
  }
}

/**
 * Runs a request that is done when it is answered (no job). Its effects and its response commit together: a
 * crash leaves everything or nothing, and a second request with the key gets the first one's bytes.
 */
export async function runOnce(
  parts: EngineParts,
  accountId: string,
  identity: RequestIdentity,
  run: (tx: Tx) => Promise<{ readonly response: StoredResponse; readonly remember: boolean }>,
): Promise<RanOnce> {
  const now = parts.clock.now();
  try {
    return await parts.database.db.transaction().execute(async (tx) => {
      const taken = await claimOrFind(tx, accountId, identity, null, now);
      if (taken !== undefined) throw new NotRun(taken);
      const { response, remember } = await run(tx);
      if (!remember) throw new NotRun({ outcome: 'ran', response });
      await storeResponse(tx, accountId, identity.scope, identity.key, response);
      return { outcome: 'ran' as const, response };
    });
  } catch (error) {
    if (!(error instanceof NotRun)) throw error;
    const { answer } = error;
    if (answer.outcome === 'replay') parts.counters.replayed(identity.scope);
    if (answer.outcome === 'mismatch') parts.counters.conflicted(identity.scope);
    return answer;
  }
}
