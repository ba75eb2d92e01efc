import { z } from 'zod';
import type { ProjectView } from '../projects/contract.ts';
import { parseReference } from '../projects/project-reference.ts';
import { readJson, type ToolContext } from './api.ts';
import { ToolFailure } from './tool-failure.ts';

export const projectInput = z
  .string()
  .min(1)
  .max(150)
  .describe('Id or name of a project; add @ and a number for one version, for example Letter@3');

const PAGE = 100;
/** An account with more projects must use ids. */
const MAX_PAGES = 20;

interface ProjectPage {
  readonly data: readonly ProjectView[];
  readonly next_cursor: string | null;
}

/** Finds one version of a project, by default the latest. The API reads projects by id only, so a name is looked up. */
export async function findProject(context: ToolContext, text: string): Promise<ProjectView> {
  const reference = parseReference(text);
  if (reference === undefined) throw notFound(text);
  const { by, version } = reference;
  const id = 'id' in by ? by.id : (await findNamed(context, by.name, text)).project_id;
  return readJson<ProjectView>(context, `/projects/${id}`, { version });
}

/** The reference of one version. It stays the same when a newer version is saved. */
export const pinned = ({ project_id, version }: ProjectView): string => `${project_id}@${version}`;

async function findNamed(context: ToolContext, name: string, text: string): Promise<ProjectView> {
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const { data, next_cursor } = await readJson<ProjectPage>(context, '/projects', { limit: PAGE, cursor });
    const found = data.find((project) => project.name === name);
    if (found !== undefined) return found;
    if (next_cursor === null) throw notFound(text);
    cursor = next_cursor;
  }
  throw new ToolFailure(
    'PROJECT_NOT_FOUND',
    `The name ${JSON.stringify(text)} is not among the newest ${PAGE * MAX_PAGES} projects. Use its id.`,
  );
}

const notFound = (text: string) =>
  new ToolFailure(
    'PROJECT_NOT_FOUND',
    `No project of this account has the name ${JSON.stringify(text)}. Call list_projects for names and ids.`,
  );
