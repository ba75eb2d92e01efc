import { writeDueEntry } from '#storage/console/due-entry.ts';
import type { Tx } from '#storage/database.ts';
import { claimRequestKey, type StoredResponse, storeResponse } from '#storage/request-keys.ts';
import type { EngineParts } from '../engine-parts.ts';
import { findTaken, type RequestIdentity, type Taken, toClaim } from './request-identity.ts';

export type RanOnce = { readonly outcome: 'ran'; readonly response: StoredResponse } | Taken;

/** Rolls the transaction back, with its claim, and carries the outcome out of it. */
class NotRun extends Error {
  readonly answer: RanOnce;

  constructor(answer: RanOnce) {
    super(answer.outcome);
    this.answer = answer;
  }
}

/**
 * Runs a request that completes without a job. Claim, effects and response commit together, so a second request with
 * the key finds the first response. With `remember: false` they are rolled back and only the response is returned. If
 * `run` throws, the key stays free.
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
      if (!(await claimRequestKey(tx, toClaim(accountId, identity, null, now))))
        throw new NotRun(await findTaken(tx, accountId, identity, now));
      const { response, remember } = await run(tx);
      if (!remember) throw new NotRun({ outcome: 'ran', response });
      await storeResponse(tx, accountId, identity.scope, identity.key, response);
      await writeDueEntry(tx);
      return { outcome: 'ran' as const, response };
    });
  } catch (error) {
    if (!(error instanceof NotRun)) throw error;
    return error.answer;
  }
}
