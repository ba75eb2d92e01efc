import { canonicalDigest } from '#engine/requests/request-identity.ts';
import { type ComparedBody, IdempotentRequests } from '#http/idempotency/idempotent-requests.ts';
import { firstResponse, REPLAYED } from '#http/idempotency/policies.ts';
import type { WireResponse } from '#http/idempotency/wire-response.ts';
import type { CreateParts } from '../create/create-parts.ts';
import { idempotencyKey } from '../create/export-requests.ts';
import { refuse } from '../errors.ts';
import type { NewProjectForm } from './project-form.ts';

/** Creates of projects: a required key, and replays of the first response. */
export type ProjectRequests = IdempotentRequests<WireResponse>;

/** The scope of their keys, and the kind under which costly PDFs are counted. */
export const PROJECT_KIND = 'bulkfill.project';

export function createProjectRequests(parts: CreateParts): ProjectRequests {
  return new IdempotentRequests(
    parts,
    firstResponse(parts.secrets, {
      surface: 'bulkfill',
      key: idempotencyKey,
      windowSeconds: parts.settings.idempotencyWindowSeconds,
      replayHeaders: () => REPLAYED,
      conflict: (differs_in) =>
        refuse(
          'IDEMPOTENCY_KEY_PAYLOAD_MISMATCH',
          'This Idempotency-Key has already been used for a different project.',
          { members: { differs_in } },
        ),
    }),
  );
}

/** Two creates are equal if their names, files and layouts are. White space in the layout does not count. */
export function comparedBody({ name, pdf, package: sealed, layout }: NewProjectForm): ComparedBody {
  const parts = {
    name: canonicalDigest(name).toString('hex'),
    pdf: pdf.sha256,
    ...(sealed !== undefined && { doqlo_file: sealed.sha256 }),
    ...(layout !== undefined && { layout: canonicalDigest(jsonOrText(layout)).toString('hex') }),
  };
  return { digest: canonicalDigest(parts), parts };
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
