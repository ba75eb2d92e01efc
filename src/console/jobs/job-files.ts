import type { InputBlob } from '#storage/console/jobs.ts';
import type { JobDetail } from '../contract/jobs.ts';
import type { JobFile } from '../job-views.ts';

/** The files of a job as its page shows them. Without a description by the surface, the stored blobs. */
export function showFiles(
  files: readonly JobFile[] | undefined,
  blobs: readonly InputBlob[],
): JobDetail['files'] {
  if (files === undefined)
    return blobs.map(({ sha256, size_bytes }) => ({
      kind: 'other',
      name: null,
      size_bytes,
      sha256,
      pages: null,
      rows: null,
      is_stored: true,
    }));
  return files.map((file) => {
    const blob = blobs.find(({ name }) => name === file.blob);
    const same = file.isOtherForm ? undefined : blob;
    return {
      kind: file.kind,
      name: file.name,
      size_bytes: file.bytes ?? same?.size_bytes ?? null,
      sha256: file.sha256 ?? same?.sha256 ?? null,
      pages: file.pages ?? null,
      rows: file.rows ?? null,
      is_stored: blob !== undefined,
    };
  });
}
