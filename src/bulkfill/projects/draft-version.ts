import type { Turn } from '#lib/fair-turnstile.ts';
import type { NewVersion, ProjectRecord, StoredFile } from '#storage/projects.ts';
import { type InputFile, storedFile, uploadedFile } from '../create/input-file.ts';
import type { ProjectForm } from './project-form.ts';
import type { ProjectParts } from './project-parts.ts';
import { PROJECT_KIND } from './project-requests.ts';
import { sealLayout } from './seal-layout.ts';

/** The options with which a project is judged when it is saved: the defaults of a create. */
const OPTIONS = { include_stickers: false, flatten_forms: false };

/**
 * Checks that the files of a save can be used together, and stores them. Parts that are not sent are those of `before`.
 * Nothing is stored if a file is refused.
 */
export async function draftVersion(
  parts: ProjectParts,
  turn: Turn,
  form: ProjectForm,
  before: ProjectRecord | undefined,
  savedBy: string | null,
): Promise<NewVersion> {
  const pdf = chosen(parts, turn, form.pdf, before?.pdf);
  const earlier = chosen(parts, turn, form.package, before?.package);
  if (pdf === undefined) throw new Error('bug: a project has no PDF');
  const sealed = form.layout === undefined ? undefined : await seal(parts, turn, form.layout, pdf, before);
  try {
    const file = sealed?.file ?? earlier;
    if (file === undefined) throw new Error('bug: a project has no package');
    const judged = await parts.judge.judge(turn, { pdf, package: file, options: OPTIONS }, PROJECT_KIND);
    const added =
      (form.pdf?.sizeBytes ?? 0) + (file === earlier && form.package === undefined ? 0 : file.sizeBytes);
    await parts.room.require(turn.owner, Math.max(1, added));
    return {
      pdf: await kept(pdf),
      package: await kept(file),
      pageCount: judged.pageCount,
      columns: judged.columns.map(({ key, label }) => ({ key, label })),
      savedBy,
      now: parts.clock.now(),
    };
  } finally {
    await sealed?.discard();
  }
}

function chosen(
  { blobs }: ProjectParts,
  { owner }: Turn,
  sent: ProjectForm['pdf'],
  stored: StoredFile | undefined,
): InputFile | undefined {
  if (sent !== undefined) return uploadedFile(blobs, owner, sent);
  return stored && storedFile(blobs, stored);
}

/** The layout can use the assets of the version before it. */
async function seal(
  parts: ProjectParts,
  turn: Turn,
  layout: string,
  pdf: InputFile,
  before: ProjectRecord | undefined,
): ReturnType<typeof sealLayout> {
  const opened = before && (await parts.judge.open(turn, storedFile(parts.blobs, before.package)));
  return sealLayout(parts, turn, { layout, pdf, assets: opened?.assets ?? new Map() });
}

async function kept(file: InputFile): Promise<StoredFile> {
  return { blob: await file.keep(), sha256: file.sha256, sizeBytes: file.sizeBytes };
}
