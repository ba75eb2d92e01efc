import type { SourceMetadata } from '../package/layout-schema.ts';
import type { SourceDocument } from './load-source.ts';
import type { SourcePage } from './page-tree.ts';

/** What a package remembers of its source; see package/source-metadata.ts. */
export function readSourceMetadata(
  _source: SourceDocument,
  pages: readonly SourcePage[],
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
    form_fields: [],
    signed: false,
    xfa: false,
  };
}
