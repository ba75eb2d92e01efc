import type { PickedFile } from '../data/pictures/read-pictures.ts';

/** The files of a drop, including those of dropped folders. The entries must be taken before anything is awaited. */
export async function droppedFiles(transfer: DataTransfer): Promise<readonly PickedFile[]> {
  const entries = [...transfer.items].flatMap((item) => {
    const entry = item.kind === 'file' ? item.webkitGetAsEntry() : null;
    return entry === null ? [] : [entry];
  });
  const plain = [...transfer.files].map(picked);
  if (!entries.some(({ isDirectory }) => isDirectory)) return plain;
  return (await Promise.all(entries.map(filesIn))).flat();
}

export const picked = (file: File): PickedFile => ({ path: file.webkitRelativePath || file.name, file });

async function filesIn(entry: FileSystemEntry): Promise<readonly PickedFile[]> {
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) =>
      (entry as FileSystemFileEntry).file(resolve, reject),
    );
    return [{ path: entry.fullPath.replace(/^\//, ''), file }];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const found: PickedFile[] = [];
  for (;;) {
    // A reader returns at most 100 entries at a time.
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0) return found;
    for (const each of some) found.push(...(await filesIn(each)));
  }
}
