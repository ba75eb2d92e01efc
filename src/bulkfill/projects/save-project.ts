import type { FastifyRequest } from 'fastify';
import { lostRecord } from '#engine/blob-keeper.ts';
import type { Once } from '#http/idempotency/idempotent-requests.ts';
import { jsonResponse, type WireResponse } from '#http/idempotency/wire-response.ts';
import { readMultipart } from '#http/multipart.ts';
import { getPrincipal } from '#http/principal.ts';
import type { Turn } from '#lib/fair-turnstile.ts';
import { writeDueEntry } from '#storage/console/due-entry.ts';
import {
  addVersion,
  findProject,
  insertProject,
  lockProject,
  type NewVersion,
  type ProjectRecord,
  type SavedProject,
} from '#storage/projects.ts';
import { uploadLimits } from '../create/create-fields.ts';
import { refuse } from '../errors.ts';
import { draftVersion, sentFiles } from './draft-version.ts';
import { getOwnedProject, projectNotFound } from './find-owned-project.ts';
import { type ProjectForm, projectRules, readProjectForm, requireAll, requireOne } from './project-form.ts';
import type { ProjectParts } from './project-parts.ts';
import { comparedBody, PROJECT_KIND, type ProjectRequests } from './project-requests.ts';
import { requireVersion } from './require-version.ts';
import { requireSealScope } from './seal-layout.ts';
import { projectView } from './views.ts';

/** POST /projects: stores a new project once per key. */
export function createProject(
  parts: ProjectParts,
  requests: ProjectRequests,
  request: FastifyRequest,
  gone: AbortSignal,
): Promise<Once<WireResponse>> {
  return withForm(parts, request, async (sent) => {
    const form = requireAll(sent);
    const identified = { ...requests.identify(request, PROJECT_KIND), body: () => comparedBody(form) };
    const { accountId } = identified;
    return requests.once(identified, async () => {
      if ((await findProject(parts.db, accountId, { name: form.name })) !== undefined) {
        // The same request may have created it since the key was looked up; both commit together.
        const record = await requests.find(identified);
        if (record !== undefined) return requests.replay(identified, record);
        throw nameTaken(form.name);
      }
      const files = sentFiles(parts, accountId, form);
      const turn = turnOf(request, gone);
      const first = await draftVersion(parts, turn, form, files, undefined, authorOf(request));
      const project = { projectId: parts.ids.uuid(), accountId, name: form.name };
      return requests.run(identified, async (tx) => {
        const saved = savedOrRefused(await insertProject(tx, project, first), form.name);
        return jsonResponse(201, projectView(saved));
      });
    });
  });
}

/** PUT /projects/{project_id}: adds a version. Parts that are not sent are those of the latest version. */
export async function updateProject(
  parts: ProjectParts,
  request: FastifyRequest,
  gone: AbortSignal,
): Promise<ProjectRecord> {
  // Before the body is read, so that a wrong id costs no upload.
  requireVersion(request, await getOwnedProject(parts, request));
  return withForm(parts, request, async (sent) => {
    const form = requireOne(sent);
    const turn = turnOf(request, gone);
    const files = sentFiles(parts, turn.owner, form);
    for (;;) {
      const before = await getOwnedProject(parts, request);
      requireVersion(request, before);
      if (form.name !== undefined && form.name !== before.name) {
        const named = await findProject(parts.db, before.accountId, { name: form.name });
        if (named !== undefined) throw nameTaken(form.name);
      }
      const next = await draftVersion(parts, turn, form, files, before, authorOf(request));
      const saved = await addAfter(parts, request, form, before, next);
      if (saved !== undefined) return saved;
    }
  });
}

/**
 * Adds the version if it still fits: a save that sends only some parts was made for the version before it. Returns
 * undefined if that is no longer the latest one.
 */
function addAfter(
  { db }: ProjectParts,
  request: FastifyRequest,
  form: ProjectForm,
  before: ProjectRecord,
  next: NewVersion,
): Promise<ProjectRecord | undefined> {
  return db.transaction().execute(async (tx) => {
    const locked = await lockProject(tx, before.accountId, before.projectId);
    if (locked === undefined) throw projectNotFound();
    requireVersion(request, locked);
    const isWhole = form.pdf !== undefined && form.package !== undefined;
    if (locked.version !== before.version && !isWhole) return undefined;
    const name = form.name ?? locked.name;
    const saved = savedOrRefused(await addVersion(tx, { ...locked, name }, next), name);
    await writeDueEntry(tx);
    return saved;
  });
}

async function withForm<T>(
  parts: ProjectParts,
  request: FastifyRequest,
  use: (form: ProjectForm) => Promise<T>,
): Promise<T> {
  const principal = getPrincipal(request);
  const sink = {
    receive: (bytes: AsyncIterable<Uint8Array>) => parts.blobs.receive(parts.room.guarded(bytes)),
  };
  const received = await readMultipart(request, sink, projectRules(uploadLimits(parts.settings, principal)));
  try {
    const form = readProjectForm(received);
    requireSealScope(principal, form);
    return await use(form);
  } finally {
    await received.discard();
  }
}

/** The operator who acts for the account; null if a key is used. */
export const authorOf = (request: FastifyRequest): string | null =>
  getPrincipal(request).operator?.name ?? null;

const turnOf = (request: FastifyRequest, signal: AbortSignal): Turn => ({
  owner: getPrincipal(request).accountId,
  signal,
});

export function savedOrRefused(saved: SavedProject, name: string): ProjectRecord {
  switch (saved.outcome) {
    case 'saved':
      return saved.project;
    case 'name-taken':
      throw nameTaken(name);
    case 'blobs-gone':
      throw lostRecord();
  }
}

export const nameTaken = (name: string) =>
  refuse('PROJECT_NAME_TAKEN', `Another project of this account has the name ${JSON.stringify(name)}.`);
