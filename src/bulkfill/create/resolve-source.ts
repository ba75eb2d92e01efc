import type { FastifyRequest } from 'fastify';
import { getPrincipal } from '#http/principal.ts';
import { BlobMissing } from '#storage/blobs/blob-store.ts';
import { getJob } from '#storage/jobs/find-jobs.ts';
import type { ProjectRecord } from '#storage/projects.ts';
import { findProject } from '#storage/projects.ts';
import type { RequestKeyRecord } from '#storage/request-keys.ts';
import { refuse } from '../errors.ts';
import type { ExportInput } from '../export-input.ts';
import { findReferenced, type ProjectReference } from '../projects/project-reference.ts';
import type { CreateParts } from './create-parts.ts';
import { namedDigest, PROJECT_NAMED } from './effective-body.ts';
import { type InputFile, storedFile, uploadedFile } from './input-file.ts';
import type { CreateForm } from './read-form.ts';

/** A create request whose files are known. */
export interface ResolvedForm extends CreateForm {
  readonly pdf: InputFile;
  readonly package: InputFile;
  readonly project?: { readonly id: string; readonly version: number; readonly name: string };
}

/**
 * Finds the files of a create. The latest version of a project is chosen when the key of the request is first accepted:
 * if `record` holds the key, a request that names the same project gets the files that were chosen then, even if there
 * is a newer version or the project was deleted.
 */
export async function resolveSource(
  parts: CreateParts,
  request: FastifyRequest,
  form: CreateForm,
  record: RequestKeyRecord | undefined,
): Promise<ResolvedForm> {
  const { accountId } = getPrincipal(request);
  const { source } = form;
  if (source.kind === 'files') {
    const upload = (part: typeof source.pdf) => uploadedFile(parts.blobs, accountId, part);
    return { ...form, pdf: upload(source.pdf), package: upload(source.package) };
  }
  const { reference } = source;
  const project = await findReferenced(parts.db, accountId, reference);
  const earlier = record && (await resolvedEarlier(parts, accountId, record, reference, project));
  if (earlier !== undefined) return { ...form, ...earlier };
  if (project === undefined) throw notFound(reference);
  const { projectId: id, version, name } = project;
  return {
    ...form,
    pdf: storedFile(parts.blobs, project.pdf),
    package: storedFile(parts.blobs, project.package),
    project: { id, version, name },
  };
}

/** The files that an earlier request with the key got for this reference; undefined if it named another project. */
async function resolvedEarlier(
  { db, blobs }: CreateParts,
  accountId: string,
  { job_id, body_parts }: RequestKeyRecord,
  { text, version }: ProjectReference,
  project: ProjectRecord | undefined,
): Promise<Pick<ResolvedForm, 'pdf' | 'package'> | undefined> {
  const named = (body_parts ?? {}) as Readonly<Record<string, string>>;
  if (job_id === null || named[PROJECT_NAMED] === undefined) return undefined;
  const { project: then, package: blob } = (await getJob(db, job_id)).input as unknown as ExportInput;
  if (then === undefined) return undefined;
  const isSame =
    named[PROJECT_NAMED] === namedDigest(text) ||
    (version === undefined && !then.pinned && project?.projectId === then.id);
  if (!isSame) return undefined;
  const readPackage = async () => {
    const kept = await findProject(db, accountId, { id: then.id }, then.version);
    return blobs.readAll(kept?.package.blob ?? blob).catch((error: unknown) => {
      throw error instanceof BlobMissing ? refuse('PROJECT_NOT_FOUND', 'The project was deleted.') : error;
    });
  };
  return {
    pdf: compared(named.pdf ?? '', bugIfUsed),
    package: compared(named.doqlo_file ?? '', readPackage),
  };
}

/** A file that is only compared: a request whose key is taken accepts nothing. */
function compared(sha256: string, read: InputFile['read']): InputFile {
  return { sha256, sizeBytes: 0, fileName: undefined, read, keep: bugIfUsed };
}

async function bugIfUsed(): Promise<never> {
  throw new Error('bug: a replay uses the files of its project');
}

function notFound({ version }: ProjectReference) {
  return refuse(
    'PROJECT_NOT_FOUND',
    version === undefined
      ? 'project names no project of this account.'
      : `project names no project of this account that has version ${version}.`,
  );
}
