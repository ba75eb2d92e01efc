import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { getPrincipal } from '#http/principal.ts';
import {
  type DraftOwner,
  deleteDraft,
  findDraft,
  findDraftRevision,
  type ProjectDraft,
  writeDraft,
} from '#storage/project-drafts.ts';
import { deletePresence, listPresence, recordPresence } from '#storage/project-presence.ts';
import { refuse } from '../errors.ts';
import type {
  draftBody,
  draftQuery,
  ProjectPresence,
  presenceBody,
  StoredDraft,
} from '../operator-contract.ts';
import { getOwnedProject } from '../projects/find-owned-project.ts';
import type { ProjectParts } from '../projects/project-parts.ts';

type DraftParts = Pick<ProjectParts, 'db' | 'clock' | 'room'>;

/** A tab that has not reported for this long has closed the project. Tabs report three times as often. */
export const PRESENT_MS = 45_000;

/** The caller's place for unsaved work on the project in the path. */
async function ownerOf(parts: DraftParts, request: FastifyRequest): Promise<DraftOwner> {
  const { accountId, projectId } = await getOwnedProject(parts, request);
  const { operator } = getPrincipal(request);
  if (operator === undefined) throw new Error('bug: only operators have drafts');
  return { accountId, projectId, operatorId: operator.id };
}

export async function readDraft(parts: DraftParts, request: FastifyRequest): Promise<StoredDraft | null> {
  const draft = await findDraft(parts.db, await ownerOf(parts, request));
  return draft === undefined ? null : draftView(draft);
}

/** Stores unsaved work. Another revision than the one that the tab last read or wrote is not overwritten. */
export async function saveDraft(
  parts: DraftParts,
  request: FastifyRequest,
  { revision, base_version: baseVersion, content, assets }: z.infer<typeof draftBody>,
): Promise<{ readonly revision: number }> {
  const owner = await ownerOf(parts, request);
  await parts.room.require(owner.accountId);
  const now = parts.clock.now();
  const next = await writeDraft(parts.db, owner, revision, { baseVersion, content, assets, now });
  if (next !== undefined) return { revision: next };
  const present = await findDraftRevision(parts.db, owner);
  throw refuse('PRECONDITION_FAILED', `The draft has the revision ${present}; received ${revision}.`);
}

export async function dropDraft(
  parts: DraftParts,
  request: FastifyRequest,
  { revision }: z.infer<typeof draftQuery>,
): Promise<void> {
  await deleteDraft(parts.db, await ownerOf(parts, request), revision);
}

const draftView = ({ revision, baseVersion, content, assets, savedAt }: ProjectDraft): StoredDraft => ({
  revision,
  base_version: baseVersion,
  content: content as Record<string, unknown>,
  assets: assets as Record<string, string>,
  saved_at: savedAt.toISOString(),
});

/** Records that a tab has the project open. Returns the other tabs, and what has changed on the server. */
export async function reportPresence(
  parts: DraftParts,
  request: FastifyRequest,
  { tab, device }: z.infer<typeof presenceBody>,
): Promise<ProjectPresence> {
  const owner = await ownerOf(parts, request);
  const now = parts.clock.now();
  await recordPresence(parts.db, owner, { tab, device, now });
  const [{ version }, draftRevision, tabs] = await Promise.all([
    getOwnedProject(parts, request),
    findDraftRevision(parts.db, owner),
    listPresence(parts.db, owner.projectId, new Date(now.getTime() - PRESENT_MS)),
  ]);
  const others = tabs.filter((other) => other.tab !== tab || other.operatorId !== owner.operatorId);
  return {
    version,
    draft_revision: draftRevision,
    others: others.map((other) => ({
      operator: other.operatorName,
      is_you: other.operatorId === owner.operatorId,
      device: other.device,
      opened_at: other.openedAt.toISOString(),
    })),
  };
}

export async function endPresence(parts: DraftParts, request: FastifyRequest): Promise<void> {
  const { tab } = request.params as { tab: string };
  await deletePresence(parts.db, await ownerOf(parts, request), tab);
}
