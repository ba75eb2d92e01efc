import type { ProjectRecord } from '#storage/projects.ts';
import type { SavedVersion } from '../operator-contract.ts';
import type { ProjectView } from './contract.ts';

export function projectView(project: ProjectRecord): ProjectView {
  return {
    project_id: project.projectId,
    name: project.name,
    version: project.version,
    page_count: project.pageCount,
    columns: [...project.columns],
    created_at: project.createdAt.toISOString(),
    updated_at: project.savedAt.toISOString(),
  };
}

/** The same for operators, who can read who saved the version. */
export const savedVersionView = (project: ProjectRecord): SavedVersion => ({
  ...projectView(project),
  saved_by: project.savedBy,
});

/** The headers of a response to a create, first or replayed. Its body is all that is stored of it. */
export function createdHeaders(body: Buffer): Readonly<Record<string, string>> {
  const created = JSON.parse(body.toString()) as ProjectView;
  return { location: `/v1/bulkfill/projects/${created.project_id}`, etag: versionTag(created) };
}

/** The entity tag of a project is its version, so that a save can name the version that it changes (`If-Match`). */
export const versionTag = ({ version }: Pick<ProjectRecord, 'version'>) => `"${version}"`;
