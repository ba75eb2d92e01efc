import type {
  DeletedProjects,
  ProjectView,
  SavedVersion,
  VersionHistory,
} from '#bulkfill/operator-contract.ts';
import { call, callJson, operatorUrl } from '../api/operator-client.ts';

/** Projects on the server: the public routes of Bulk Fill, called for an account. */
const PROJECTS = '/acting/bulkfill/projects';
const PAGE = 100;
/** Ends the listing of an account with an unexpected number of projects. */
const MAX_PAGES = 100;

export interface ProjectPlace {
  readonly account: string;
  readonly id: string;
}

/** Ids of projects on the server are UUIDs; those of drafts in this browser are not. */
export const isLibraryId = (id: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id);

export async function listProjects(account: string, signal: AbortSignal): Promise<readonly ProjectView[]> {
  const all: ProjectView[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const query = { limit: PAGE, cursor };
    const listed: { data: ProjectView[]; next_cursor: string | null } = await callJson(PROJECTS, {
      account,
      query,
      signal,
    });
    all.push(...listed.data);
    cursor = listed.next_cursor;
    if (cursor === null) break;
  }
  return all;
}

export const readProject = ({ account, id }: ProjectPlace): Promise<ProjectView> =>
  callJson(`${PROJECTS}/${id}`, { account });

/** The address of a picture of the first page. It names the version, so that a new version has a new picture. */
export const pictureUrl = ({ account, id }: ProjectPlace, version: number): string =>
  operatorUrl(`${PROJECTS}/${id}/page.png`, { account, version, width: 400 });

export async function readFiles(
  { account, id }: ProjectPlace,
  version: number,
): Promise<{ readonly pdf: () => Promise<Blob>; readonly package: Blob }> {
  const file = async (kind: string) =>
    (await call(`${PROJECTS}/${id}/${kind}`, { account, query: { version } })).blob();
  return { pdf: () => file('pdf'), package: await file('package') };
}

export interface SavedParts {
  readonly name?: string;
  readonly package?: Blob;
  readonly pdf?: Blob;
}

function formOf({ name, package: packed, pdf }: SavedParts): FormData {
  const form = new FormData();
  if (name !== undefined) form.set('name', name);
  if (pdf !== undefined) form.set('pdf', pdf, 'source.pdf');
  if (packed !== undefined) form.set('doqlo_file', packed, 'project.doqlo');
  return form;
}

/** `key` makes two requests the same one, so that a repeated save creates one project. */
export const createProject = (
  account: string,
  parts: Required<SavedParts>,
  key: string,
): Promise<ProjectView> =>
  callJson(PROJECTS, {
    method: 'POST',
    account,
    form: formOf(parts),
    headers: { 'idempotency-key': key },
  });

/** Saves the next version. Rejected with 412 if the latest version is not `version`. */
export const saveVersion = (
  { account, id }: ProjectPlace,
  version: number,
  parts: SavedParts,
): Promise<ProjectView> =>
  callJson(`${PROJECTS}/${id}`, { method: 'PUT', account, form: formOf(parts), headers: matching(version) });

const matching = (version: number) => ({ 'if-match': `"${version}"` });

export const duplicateProject = ({ account, id }: ProjectPlace): Promise<ProjectView> =>
  callJson(`${PROJECTS}/${id}/duplicate`, { method: 'POST', account });

export const binProject = ({ account, id }: ProjectPlace): Promise<unknown> =>
  callJson(`${PROJECTS}/${id}/bin`, { method: 'POST', account });

export const restoreProject = ({ account, id }: ProjectPlace): Promise<ProjectView> =>
  callJson(`${PROJECTS}/${id}/restore`, { method: 'POST', account });

export const listDeleted = (account: string): Promise<DeletedProjects> =>
  callJson('/acting/bulkfill/deleted-projects', { account });

export const listVersions = (
  { account, id }: ProjectPlace,
  cursor: string | null = null,
  limit = PAGE,
): Promise<VersionHistory> => callJson(`${PROJECTS}/${id}/history`, { account, query: { limit, cursor } });

/** The operator's own unsaved work on a project. */
export const draftUrl = ({ id }: ProjectPlace): string => `${PROJECTS}/${id}/draft`;

export const presenceUrl = ({ id }: ProjectPlace): string => `${PROJECTS}/${id}/presence`;

/** The latest version with its author; undefined if the project is gone. */
export async function latestVersion(place: ProjectPlace): Promise<SavedVersion | undefined> {
  return (await listVersions(place, null, 1)).data[0];
}

export const restoreVersion = (
  { account, id }: ProjectPlace,
  version: number,
  latest: number,
): Promise<ProjectView> =>
  callJson(`${PROJECTS}/${id}/versions/${version}/restore`, {
    method: 'POST',
    account,
    headers: matching(latest),
  });
