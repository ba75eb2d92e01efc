import type { SavedVersion } from '#bulkfill/operator-contract.ts';

const moments = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** `Version 3, saved by Ada on Nov 18, 2026, 8:05 AM`. */
export function savedWords({ version, saved_by, updated_at }: SavedVersion): string {
  return `Version ${version}, saved by ${authorWords(saved_by)} on ${momentWords(updated_at)},`;
}

export const authorWords = (author: string | null): string => author ?? 'an API key';
export const momentWords = (time: string): string => moments.format(Date.parse(time));
