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
