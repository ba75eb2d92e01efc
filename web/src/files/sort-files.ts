/** Dropped files by kind, which the file name decides. */
export interface SortedFiles {
  readonly pdf: File | null;
  readonly package: File | null;
  readonly rows: File | null;
  readonly other: readonly File[];
}

export function sortFiles(files: readonly File[]): SortedFiles {
  const ends = (...endings: string[]) => {
    const pattern = new RegExp(`\\.(${endings.join('|')})$`, 'i');
    return files.find(({ name }) => pattern.test(name)) ?? null;
  };
  const pdf = ends('pdf') ?? files.find(({ type }) => type === 'application/pdf') ?? null;
  const found = { pdf, package: ends('doqlo'), rows: ends('csv', 'tsv', 'txt', 'xlsx') };
  const taken = new Set<File | null>(Object.values(found));
  return { ...found, other: files.filter((file) => !taken.has(file)) };
}
