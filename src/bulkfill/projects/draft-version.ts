import type { Turn } from '#lib/fair-turnstile.ts';
import type { NewVersion, ProjectRecord, StoredFile } from '#storage/projects.ts';
import { type InputFile, storedFile, uploadedFile } from '../create/input-file.ts';
import type { ProjectForm } from './project-form.ts';
import type { ProjectParts } from './project-parts.ts';
import { PROJECT_KIND } from './project-requests.ts';
import { sealLayout } from './seal-layout.ts';

/** The options with which a project is judged when it is saved: the defaults of a create. */
const OPTIONS = { include_stickers: false, flatten_forms: false };

/** The files of a request. A save that is drafted again uses the same ones: those that were stored are no longer uploads. */
export interface SentFiles {
  readonly pdf: InputFile | undefined;
  readonly package: InputFile | undefined;
}

export function sentFiles({ blobs }: ProjectParts, accountId: string, form: ProjectForm): SentFiles {
  const file = (part: ProjectForm['pdf']) => part && uploadedFile(blobs, accountId, part);
  return { pdf: file(form.pdf), package: file(form.package) };
}

/**
 * Checks that the files of a save can be used together, and stores them. Parts that are not sent are those of `before`.
 * Nothing is stored if a file is refused.
 */
export async function draftVersion(
  parts: ProjectParts,
  turn: Turn,
  { layout }: ProjectForm,
  sent: SentFiles,
  before: ProjectRecord | undefined,
  savedBy: string | null,
): Promise<NewVersion> {
  const stored = (file: StoredFile | undefined) => file && storedFile(parts.blobs, file);
  const pdf = sent.pdf ?? stored(before?.pdf);
  const earlier = sent.package ?? stored(before?.package);
  if (pdf === undefined) throw new Error('bug: a project has no PDF');
  const sealed = layout === undefined ? undefined : await seal(parts, turn, layout, pdf, before);
  try {
    const file = sealed?.file ?? earlier;
    if (file === undefined) throw new Error('bug: a project has no package');
    const judged = await parts.judge.judge(turn, { pdf, package: file, options: OPTIONS }, PROJECT_KIND);
    const added =
      (sent.pdf?.sizeBytes ?? 0) + (file === earlier && sent.package === undefined ? 0 : file.sizeBytes);
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
