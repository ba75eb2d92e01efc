/** Turns a name into a file name that every file system accepts. */
export const fileStem = (name: string): string =>
  name.replaceAll(/[\\/:*?"<>|\p{Cc}]/gu, '-').trim() || 'project';
