import { isDict, type SourceDocument } from '../prepare/load-source.ts';
import { acroForm, type SourceField } from './read-fields.ts';

/** Returns whether the source has a digital signature, which any change invalidates (ISO 32000-2 §12.8). */
export function isSigned(source: SourceDocument, fields: readonly SourceField[]): boolean {
  if (isDict(source.resolve(source.catalog.get('Perms')))) return true;
  return fields.some(
    (field) =>
      field.type === 'signature' &&
      field.holders.some((holder) => {
        const dict = source.resolve(holder);
        return isDict(dict) && isDict(source.resolve(dict.get('V')));
      }),
  );
}

export function hasXfa(source: SourceDocument): boolean {
  return source.resolve(acroForm(source)?.get('XFA')) !== null;
}

/** Removes entries that are invalid after a change: signature values, the signature flags, and the XFA copy of the form. */
export function dropInvalidClaims(source: SourceDocument, fields: readonly SourceField[]): void {
  for (const field of fields) {
    if (field.type !== 'signature') continue;
    for (const holder of field.holders) {
      const dict = source.resolve(holder);
      if (isDict(dict)) dict.delete('V');
    }
  }
  const form = acroForm(source);
  form?.delete('SigFlags');
  form?.delete('XFA');
}
