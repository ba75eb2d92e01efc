import { createHash, createHmac } from 'node:crypto';
import type { FillOptions } from '#fill/fill-options.ts';
import type { VerifyId } from '#fill/verify/verify-values.ts';

/** 128 bits: nobody finds an id by trying, and a QR code with an address stays small. */
const ID_BYTES = 16;

/**
 * Returns the ids of a run's documents. An id is keyed with the installation's key, so that nobody can confirm guessed cells without
 * it.
 */
export function nativeVerifyIds({ key, work }: { readonly key: string; readonly work: string }): VerifyId {
  const installation = Buffer.from(key, 'hex');
  return (cells) =>
    createHmac('sha256', installation)
      .update(`document ${work} `)
      .update(cells)
      .digest()
      .subarray(0, ID_BYTES)
      .toString('hex');
}

/** The files of a run and its options, as far as a document's content depends on them. */
export interface VerifiedWork
  extends Pick<FillOptions, 'includeStickers' | 'flattenForms' | 'groupBy' | 'decimalSigns'> {
  readonly pdfSha256: string;
  readonly packageSha256: string;
  readonly column: string;
}

/** Digest of everything that the documents of a run have in common. The account, the time and the address are not part of it. */
export function verifiedWork(work: VerifiedWork): string {
  const { pdfSha256, packageSha256, column, includeStickers, flattenForms, groupBy, decimalSigns } = work;
  const signs = Object.entries(decimalSigns ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  const parts = [
    pdfSha256,
    packageSha256,
    column,
    includeStickers,
    flattenForms,
    [...(groupBy ?? [])],
    signs,
  ];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
