import type { Layout } from './layout-schema.ts';

/** The first declared font file that the package does not contain. Image names are data: a wrong one skips its overlay. */
export function missingAsset(
  layout: Pick<Layout, 'fonts'>,
  assets: ReadonlyMap<string, Uint8Array>,
): string | null {
  for (const { regular, bold, italic, bold_italic } of layout.fonts) {
    for (const name of [regular, bold, italic, bold_italic]) {
      if (name !== undefined && !assets.has(name)) return name;
    }
  }
  return null;
}
