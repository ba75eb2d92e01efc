import type { Codec } from '../codec.ts';
import { refuseDynamicXfa } from '../forms/dynamic-xfa.ts';
import { readFields, type SourceField } from '../forms/read-fields.ts';
import { hasXfa, isSigned } from '../forms/signed.ts';
import { OPTION_CAPS } from '../package/form-field-types.ts';
import type { SourceMetadata } from '../package/source-metadata.ts';
import type { FieldOption } from '../values/match-option.ts';
import { loadSource, type SourceDocument } from './load-source.ts';
import { readPageTree, type SourcePage } from './page-tree.ts';
import { type Refusal, refusalOf } from './refusal.ts';

/** Reads the metadata that a package stores about its source (package/source-metadata.ts) from the submitted file. */
export function readSourceMetadata(
  source: SourceDocument,
  pages: readonly SourcePage[],
  fields: readonly SourceField[],
  sha256: string,
): SourceMetadata {
  return {
    sha256,
    page_count: pages.length,
    pages: pages.map(({ geometry }) => ({
      box: [...geometry.box],
      rotation: geometry.rotation,
      user_unit: geometry.userUnit,
    })),
    form_fields: fields
      .filter(({ name }) => name.length >= 1 && name.length <= 1000)
      .map(({ name, type, options, maxLength }) => ({
        name,
        type,
        ...(options.length > 0 ? { options: remembered(options) } : {}),
        ...(maxLength === null || maxLength < 0 ? {} : { max_length: Math.floor(maxLength) }),
      })),
    signed: isSigned(source, fields),
    xfa: hasXfa(source),
  };
}

function remembered(options: readonly FieldOption[]): FieldOption[] {
  return options
    .filter(({ value, label }) => Math.max(value.length, label.length) <= OPTION_CAPS.characters)
    .slice(0, OPTION_CAPS.options)
    .map(({ value, label }) => ({ value, label }));
}

export type Inspected = { readonly ok: true; readonly metadata: SourceMetadata } | Refusal;

/** Reads the metadata without preparing a base. */
export async function inspectSource(bytes: Uint8Array, maxPages: number, codec: Codec): Promise<Inspected> {
  try {
    const source = await loadSource(bytes);
    const { pages } = readPageTree(source, maxPages);
    const fields = readFields(source, pages);
    refuseDynamicXfa(source, pages, fields);
    return { ok: true, metadata: readSourceMetadata(source, pages, fields, codec.sha256Hex(bytes)) };
  } catch (error) {
    return refusalOf(error);
  }
}
