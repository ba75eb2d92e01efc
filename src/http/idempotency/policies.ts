import type { SecretBox } from '#engine/webhooks/webhook-parts.ts';
import type { Db } from '#storage/database.ts';
import { getJob, type JobRecord } from '#storage/jobs/find-jobs.ts';
import type { RequestKeyRecord, StoredResponse } from '#storage/request-keys.ts';
import { SEALED_RESPONSE_TYPE } from '#storage/sealed-values.ts';
import type { RequestConflict } from '../watch-conflicts.ts';
import type { KeyRule } from './request-key.ts';
import { JSON_TYPE, type WireResponse } from './wire-response.ts';

/** Marks a replay on every surface. */
export const REPLAYED = { 'idempotent-replayed': 'true' } as const;

/** The members of a policy that each surface chooses itself. */
interface SurfacePolicy {
  /** The surface's name in the log of conflicts. */
  readonly surface: RequestConflict['surface'];
  readonly key: KeyRule;
  /** How long a key is valid after its first acceptance. */
  readonly windowSeconds: number;
}

/** How a surface replays requests, and what it does with a different body under the same key. */
export interface RequestPolicy<Result> extends SurfacePolicy {
  /** The result of a job that was just accepted. */
  readonly first: (job: JobRecord, response: WireResponse | undefined) => Result;
  /** The result of a repeated request. */
  readonly replay: (record: RequestKeyRecord) => Result | Promise<Result>;
  /** Response headers of a replay. `differsIn` names the parts of the body that differ from the first request. */
  readonly replayHeaders: (differsIn: readonly string[]) => Readonly<Record<string, string>>;
  /** The error for a different body. Undefined: the first request is replayed all the same. */
  readonly conflict?: (differsIn: readonly string[]) => Error;
  /** Parts that only shorten a comparison; a conflict does not name them. */
  readonly unreportedParts?: readonly string[];
  /** Limit of the wait for the first request. Undefined: the second one blocks on the claim until the first one ends. */
  readonly wait?: { readonly ms: number; readonly tooLong: () => Error };
  /** Encrypts a response that contains a secret, for storage. */
  readonly seal: (response: StoredResponse) => StoredResponse;
}

/** Replays the job in its current state. A different body is a conflict. */
export function currentState(
  db: Db,
  policy: SurfacePolicy & Required<Pick<RequestPolicy<JobRecord>, 'conflict' | 'unreportedParts'>>,
): RequestPolicy<JobRecord> {
  return {
    ...policy,
    first: (job) => job,
    replay: ({ job_id }) => {
      if (job_id === null) throw new Error('bug: the key of a job has no job');
      return getJob(db, job_id);
    },
    replayHeaders: () => REPLAYED,
    seal: notSealed,
  };
}

/** Replays the first response: status, content type and bytes. A different body is a conflict. */
export function firstResponse(
  secrets: SecretBox,
  policy: SurfacePolicy & Required<Pick<RequestPolicy<WireResponse>, 'conflict' | 'replayHeaders'>>,
): RequestPolicy<WireResponse> {
  return {
    ...policy,
    first: responseOfJob,
    replay: (record) => {
      const stored = storedResponse(record);
      return stored.type === SEALED_RESPONSE_TYPE
        ? { ...stored, type: JSON_TYPE, body: Buffer.from(secrets.open(stored.body)) }
        : stored;
    },
    seal: (response) => ({
      ...response,
      type: SEALED_RESPONSE_TYPE,
      body: secrets.seal(response.body.toString()),
    }),
  };
}

/** Replays the first response whatever the repeated request contains; headers warn if it differs. The wait is limited. */
export function verbatim(
  policy: SurfacePolicy & Required<Pick<RequestPolicy<WireResponse>, 'replayHeaders' | 'wait'>>,
): RequestPolicy<WireResponse> {
  return { ...policy, first: responseOfJob, replay: storedResponse, seal: notSealed };
}

function responseOfJob(_job: JobRecord, response: WireResponse | undefined): WireResponse {
  if (response === undefined) throw new Error('bug: a job was accepted without a response to store');
  return response;
}

function storedResponse(record: RequestKeyRecord): WireResponse {
  const { response_status: status, response_type: type, response_body: body } = record;
  if (status === null || type === null || body === null)
    throw new Error('bug: an accepted request has no stored response');
  return { status, type, body };
}

function notSealed(): never {
  throw new Error('bug: this policy stores no encrypted responses');
}
