import { fileNameSegment } from '#fill/results/file-name.ts';

/** A safe file name of a download. */
export interface DownloadName {
  /** Letters, digits, `.`, `_` and `-` only. */
  readonly plain: string;
  /** With the letters of every script. */
  readonly full: string;
}

const UNNAMED = 'export';

/** The name of a job's ZIP: the name of its project or package, and the UTC date on which the job completed. */
export function downloadName(name: string | undefined, completedAt: Date): DownloadName {
  return fileNamed(name, `-${completedAt.toISOString().slice(0, 10)}.zip`);
}

/** The name as a file name; `export` if nothing of it can be used. */
export function fileNamed(name: string | undefined, ending: string): DownloadName {
  const safe = trimmed(fileNameSegment(name ?? ''));
  // NFKD separates accents from their letters: "Küche" becomes "Kuche", not "K-che".
  const plain = trimmed(
    safe
      .normalize('NFKD')
      .replaceAll(/\p{M}/gu, '')
      .replaceAll(/[^A-Za-z0-9._-]+/g, '-'),
  );
  return { plain: `${plain || UNNAMED}${ending}`, full: `${safe || plain || UNNAMED}${ending}` };
}

/** Removes dots, hyphens and spaces at both ends: a leading dot hides a file. */
const trimmed = (text: string) => text.replaceAll(/^[.\-\s]+|[.\-\s]+$/g, '');

/** The value of `Content-Disposition` (RFC 6266). `filename*` is added only if the plain name lacks something. */
export function contentDisposition({ plain, full }: DownloadName): string {
  const header = `attachment; filename="${plain}"`;
  return full === plain ? header : `${header}; filename*=UTF-8''${extValue(full)}`;
}

/** RFC 8187: `encodeURIComponent` leaves four characters that are not attr-chars. */
const extValue = (text: string) =>
  encodeURIComponent(text).replaceAll(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
