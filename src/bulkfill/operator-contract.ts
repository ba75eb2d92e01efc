import { z } from 'zod';
import { projectSchema } from './projects/contract.ts';

export type { ProjectView } from './projects/contract.ts';

/** Schemas of the routes that only operators have, below `/acting/bulkfill`. */
const timestamp = z.iso.datetime({ precision: 3 });

export const savedVersion = projectSchema.extend({
  saved_by: z.string().nullable().describe('The operator who saved this version; null if a key did'),
});
export type SavedVersion = z.infer<typeof savedVersion>;

export const versionHistory = z.object({
  data: z.array(savedVersion),
  next_cursor: z.string().nullable(),
});
export type VersionHistory = z.infer<typeof versionHistory>;

export const deletedProject = z.object({
  project_id: z.uuid(),
  name: z.string(),
  deleted_at: timestamp,
  restorable_until: timestamp,
});
export const deletedProjects = z.object({ data: z.array(deletedProject) });
export type DeletedProjects = z.infer<typeof deletedProjects>;

const revision = z.int().min(0).max(2_147_483_647);
const version = z.int().min(1).max(2_147_483_647);

/** Unsaved work of an operator on a project. `content` belongs to the editor; assets are base64 by name. */
export const draftBody = z.object({
  revision: revision.describe('The revision that is overwritten; 0: there is no draft yet'),
  base_version: version.describe('The version that the work began from'),
  content: z.record(z.string(), z.unknown()),
  assets: z.record(z.string(), z.base64()).optional().describe('Absent: those of the revision before'),
});
export const draftQuery = z.object({
  revision: z.coerce
    .number()
    .pipe(revision)
    .optional()
    .describe('Deletes the draft only if it has this revision'),
});
export const storedDraft = draftBody.extend({
  assets: z.record(z.string(), z.string()),
  saved_at: timestamp,
});
export type StoredDraft = z.infer<typeof storedDraft>;
export const draftAnswer = z.object({ draft: storedDraft.nullable() });
export type DraftAnswer = z.infer<typeof draftAnswer>;
export const savedDraft = z.object({ revision });
export type SavedDraft = z.infer<typeof savedDraft>;

const tab = z.string().regex(/^[\w-]{1,64}$/);
export const presenceBody = z.object({ tab, device: z.string().regex(/^\P{Cc}{0,100}$/u) });
export const presenceParams = z.object({ project_id: z.string(), tab });
export const projectPresence = z.object({
  version,
  draft_revision: revision,
  others: z.array(
    z.object({ operator: z.string(), is_you: z.boolean(), device: z.string(), opened_at: timestamp }),
  ),
});
export type ProjectPresence = z.infer<typeof projectPresence>;
