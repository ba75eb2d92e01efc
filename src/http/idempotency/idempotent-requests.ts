import type { FastifyRequest } from 'fastify';
import type { Engine } from '#engine/engine.ts';
import type { Accepted, AcceptRequest } from '#engine/requests/accept-job.ts';
import { compare, type RequestIdentity, type Taken } from '#engine/requests/request-identity.ts';
import type { Clock } from '#lib/clock.ts';
import { withEntry } from '#storage/console/due-entry.ts';
import type { Db, Tx } from '#storage/database.ts';
import type { JobRecord } from '#storage/jobs/find-jobs.ts';
import { findRequestKey, type RequestKeyRecord } from '#storage/request-keys.ts';
import { getPrincipal } from '../principal.ts';
import { reportConflict } from '../watch-conflicts.ts';
import type { RequestPolicy } from './policies.ts';
import { readRequestKey } from './request-key.ts';
import { SingleFlight, TooLong, withinWait } from './single-flight.ts';
import type { WireResponse } from './wire-response.ts';

/*
 * Idempotent requests, for every surface.
 *
 * A client repeats a request with the same request key (`Idempotency-Key`, `X-Correlation-Id`) when it does not know
 * whether the first one arrived. The request takes effect once, and the repeated one is a replay. A key belongs to one
 * account and one scope (the operation, or the partner) and is valid for the window of its surface.
 *
 * The steps of a request:
 *
 *   1. identify   reads the key from its header. The surface adds the digests by which two bodies are compared.
 *   2. once       looks the key up before the request is validated: a replay must not fail because of what changed since.
 *   3. accept     claims the key in the transaction that creates the job, or
 *      run        claims it in the transaction of an effect that completes within the request.
 *                 If another request has claimed the key in the meantime, both replay instead.
 *
 * Each surface declares one policy (policies.ts) and maps its result to the wire:
 *
 *                   current state              first response               verbatim
 *   surface         Bulk Fill                  Subscribers                  Ingest
 *   replay          the job as it is now       stored status, type, body    stored status, type, body
 *   other body      rejected; the conflict     rejected                     replayed with a warning
 *                   names the parts
 *   replay headers  Idempotent-Replayed        Idempotent-Replayed          the same, X-Correlation-Replay and -Warning
 *   first request   the second one blocks on   the second one blocks on     the second one waits in this process, then
 *   still running   the claim                  the claim                    blocks on the claim, ten seconds each at most
 *   without a key   rejected                   every call is new            rejected
 *
 * Guarantees of all three (docs/contract/jobs.md):
 *
 *   REQ1  A key takes effect at most once. The claim is one INSERT under a unique index: the second transaction waits for
 *         the first, then finds its row.
 *   REQ2  A different body under the same key never changes the first request. Digests are compared, never contents.
 *   REQ3  The window starts with the first acceptance. A replay does not extend it; an expired row is taken over.
 *   REQ4  Only an accepted request claims its key. A rejection rolls the claim back with everything else.
 *   REQ5  A stored response is replayed byte for byte.
 *   REQ6  An effect and its stored response commit together.
 *
 * The transactions are in engine/requests, the statements in storage/request-keys.ts. Every conflict is reported to the
 * console's log (watch-conflicts.ts).
 */

/** Digests by which two bodies with the same key are compared. */
export interface ComparedBody {
  /** Null if the policy does not reject a different body. */
  readonly digest: Buffer | null;
  /** Digest of each named part, so that a conflict can name the parts that differ. */
  readonly parts?: Readonly<Record<string, string>>;
}

/** A request and its key, before its body is read. */
export interface RequestKey {
  readonly request: FastifyRequest;
  readonly accountId: string;
  readonly scope: string;
  /** Undefined: the surface does not require a key, and this request is always new. */
  readonly key: string | undefined;
}

export interface IdentifiedRequest extends RequestKey {
  /** Called when the body is compared or the key is claimed. */
  readonly body: () => ComparedBody | Promise<ComparedBody>;
}

/** The result of a request that takes effect once. */
export interface Once<Result> {
  readonly result: Result;
  readonly replayed: boolean;
  /** Response headers that mark a replay. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface RequestParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly engine: Pick<Engine, 'accept' | 'runOnce' | 'countTaken'>;
}

/** A job to accept under the key of a request. */
export interface RequestedJob extends Omit<AcceptRequest, 'accountId' | 'identity' | 'response'> {
  /** The response to the acceptance, for the policies that store it. */
  readonly response?: (job: { readonly id: string; readonly createdAt: Date }) => WireResponse;
  /** Returns the error for a job that the engine did not accept. */
  readonly refused: (outcome: Exclude<Accepted['outcome'], 'accepted' | Taken['outcome']>) => Error;
}

/** The idempotent requests of one surface. */
export class IdempotentRequests<Result> {
  readonly #parts: RequestParts;
  readonly #policy: RequestPolicy<Result>;
  readonly #flights = new SingleFlight();

  constructor(parts: RequestParts, policy: RequestPolicy<Result>) {
    this.#parts = parts;
    this.#policy = policy;
  }

  /** Reads the request's key. Throws the policy's error if the key is malformed, or missing and required. */
  identify(request: FastifyRequest, scope: string): RequestKey {
    const { accountId } = getPrincipal(request);
    return { request, accountId, scope, key: readRequestKey(request, this.#policy.key) };
  }

  /** Returns the record of the key, or undefined if the key is free or its window has passed. */
  async find({ accountId, scope, key }: RequestKey): Promise<RequestKeyRecord | undefined> {
    if (key === undefined) return undefined;
    return findRequestKey(this.#parts.db, accountId, scope, key, this.#parts.clock.now());
  }

  /** Replays the request that holds the key. Throws the policy's conflict if the body differs. */
  async replay(identified: IdentifiedRequest, record: RequestKeyRecord): Promise<Once<Result>> {
    const { digest, parts } = await identified.body();
    return this.#replayTaken(
      identified,
      compare(record, { bodyDigest: digest, ...(parts && { bodyParts: parts }) }),
    );
  }

  /** Replays without a comparison, for a caller that has compared the bodies itself. */
  async replayEqual(record: RequestKeyRecord): Promise<Once<Result>> {
    this.#parts.engine.countTaken(this.#policy.surface, 'replay');
    return this.#replayed(record, []);
  }

  /** Replays the request if its key is taken. Otherwise calls `perform`, which claims the key by `accept` or `run`. */
  async once(identified: IdentifiedRequest, perform: () => Promise<Once<Result>>): Promise<Once<Result>> {
    const { wait } = this.#policy;
    const flight = `${identified.accountId} ${identified.scope} ${identified.key}`;
    const deadline = performance.now() + (wait?.ms ?? 0);
    for (;;) {
      const record = await this.find(identified);
      if (record !== undefined) return this.replay(identified, record);
      if (wait === undefined) return perform();
      const performed = await this.#flights
        .runOrWait(flight, deadline - performance.now(), perform)
        .catch(orTooLong(wait));
      if (performed !== undefined) return performed.value;
    }
  }

  /** Accepts a job and claims the key in one transaction, or replays. */
  async accept(identified: IdentifiedRequest, requested: RequestedJob): Promise<Once<Result>> {
    const { refused, ...job } = requested;
    const identity = await this.#identity(identified);
    const accepted = await this.#withinWait((started) =>
      this.#parts.engine.accept({
        ...job,
        accountId: identified.accountId,
        ...(identity && { identity }),
        // Without effects of its own, a job is written together with others.
        ...((this.#policy.wait !== undefined || job.alongside !== undefined) && {
          alongside: async (tx: Tx, record: JobRecord) => {
            started();
            await job.alongside?.(tx, record);
          },
        }),
      }),
    );
    switch (accepted.outcome) {
      case 'accepted': {
        const { id, created_at: createdAt } = accepted.job;
        return first(this.#policy.first(accepted.job, job.response?.({ id, createdAt })));
      }
      case 'replay':
      case 'mismatch':
        return this.#replayTaken(identified, accepted);
      default:
        throw refused(accepted.outcome);
    }
  }

  /**
   * Runs an effect that completes within the request, and claims the key in the same transaction, or replays. With
   * `remember: false` both are rolled back and only the response remains. With `sealed` the stored response is
   * encrypted.
   */
  async run(
    identified: IdentifiedRequest,
    effect: (tx: Tx) => Promise<Result & WireResponse>,
    { remember = true, sealed = false }: { readonly remember?: boolean; readonly sealed?: boolean } = {},
  ): Promise<Once<Result>> {
    const { db, engine } = this.#parts;
    const identity = await this.#identity(identified);
    if (identity === undefined) return first(await withEntry(db, effect));
    let response: Result | undefined;
    const ran = await this.#withinWait((started) =>
      engine.runOnce(identified.accountId, identity, async (tx) => {
        started();
        const made = await effect(tx);
        response = made;
        return { response: sealed ? this.#policy.seal(made) : made, remember };
      }),
    );
    if (ran.outcome !== 'ran') return this.#replayTaken(identified, ran);
    if (response === undefined) throw new Error('bug: a request ran without a response');
    return first(response);
  }

  async #identity({ scope, key, body }: IdentifiedRequest): Promise<RequestIdentity | undefined> {
    if (key === undefined) return undefined;
    const { digest, parts } = await body();
    const { windowSeconds } = this.#policy;
    return { scope, key, windowSeconds, bodyDigest: digest, ...(parts && { bodyParts: parts }) };
  }

  async #replayTaken(
    identified: IdentifiedRequest,
    { outcome, record, differsIn }: Taken,
  ): Promise<Once<Result>> {
    const { surface, conflict, unreportedParts = [] } = this.#policy;
    this.#parts.engine.countTaken(surface, outcome);
    const reported = differsIn.filter((part) => !unreportedParts.includes(part));
    if (outcome === 'mismatch' || (conflict === undefined && reported.length > 0))
      reportConflict(identified.request, { surface, key: record.key, differsIn: reported });
    if (outcome === 'mismatch' && conflict !== undefined) throw conflict(reported);
    return this.#replayed(record, reported);
  }

  async #replayed(record: RequestKeyRecord, differsIn: readonly string[]): Promise<Once<Result>> {
    const { replay, replayHeaders } = this.#policy;
    return { result: await replay(record), replayed: true, headers: replayHeaders(differsIn) };
  }

  /** Limits how long `attempt` waits for another node's claim of the same key. */
  #withinWait<T>(attempt: (started: () => void) => Promise<T>): Promise<T> {
    const { wait } = this.#policy;
    return wait === undefined ? attempt(() => {}) : withinWait(wait.ms, attempt).catch(orTooLong(wait));
  }
}

function first<Result>(result: Result): Once<Result> {
  return { result, replayed: false, headers: {} };
}

/** Replaces `TooLong` by the policy's error. */
function orTooLong({ tooLong }: { readonly tooLong: () => Error }) {
  return (error: unknown): never => {
    throw error instanceof TooLong ? tooLong() : error;
  };
}
