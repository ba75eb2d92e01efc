import { isUuid } from '#lib/ids.ts';
import type { Db } from '#storage/database.ts';
import { findProject, type ProjectRecord } from '#storage/projects.ts';

export const MAX_NAME_CHARS = 100;

/** The field `project` of a create: an id or a name, and the version after an `@`. */
export interface ProjectReference {
  readonly text: string;
  readonly by: { readonly id: string } | { readonly name: string };
  /** Undefined: the latest version. */
  readonly version: number | undefined;
}

const VERSIONED = /^(?<project>.+)@(?<version>[1-9][0-9]{0,8})$/su;

/** Returns undefined if no project can have this name. */
export function parseReference(text: string): ProjectReference | undefined {
  const { project = text, version } = VERSIONED.exec(text)?.groups ?? {};
  if (isUuid(project)) return { text, by: { id: project.toLowerCase() }, version: numberOf(version) };
  const name = project.normalize('NFC');
  if (nameProblem(name) !== undefined) return undefined;
  return { text, by: { name }, version: numberOf(version) };
}

const numberOf = (text: string | undefined) => (text === undefined ? undefined : Number(text));

export function findReferenced(
  db: Db,
  accountId: string,
  { by, version }: ProjectReference,
): Promise<ProjectRecord | undefined> {
  return findProject(db, accountId, by, version);
}

/** Why a project cannot have this name; undefined if it can. A name that reads like a reference would be ambiguous. */
export function nameProblem(name: string): string | undefined {
  const length = [...name].length;
  if (length < 1 || length > MAX_NAME_CHARS)
    return `must have 1 to ${MAX_NAME_CHARS} characters; it has ${length}`;
  if (/\p{Cc}|\p{Cs}|[\u2028\u2029]/u.test(name)) return 'must not contain control characters';
  if (name.trim() !== name) return 'must not start or end with white space';
  if (isUuid(name)) return 'must not be a UUID, because ids of projects are UUIDs';
  if (/@\d+$/.test(name)) return 'must not end with "@" and a number, which names a version';
  return undefined;
}
