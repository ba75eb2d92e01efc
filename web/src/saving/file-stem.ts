/** A name that every file system takes. */
export const fileStem = (name: string): string =>
  name.replaceAll(/[\\/:*?"<>|\p{Cc}]/gu, '-').trim() || 'project';
