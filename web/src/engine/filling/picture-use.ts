import { jobAssetName } from '#fill/draw/images/job-assets.ts';
import { isMissingPicture, looksLikePicture } from '#fill/draw/images/picture-value.ts';
import { type Layout, layoutSchema } from '#fill/package/layout-schema.ts';
import { compileValue, NO_NOTES } from '#fill/values/resolve-value.ts';
import { compileShowIf } from '#fill/values/show-if.ts';
import type { PictureUse } from '../engine-client.ts';
import type { OpenRows } from '../rows/open-rows.ts';
import { breathe, STRETCH_MS } from './breathe.ts';

const MOST_LISTED = 200;

/** Which of the pictures the rows use, and which names they have that no picture has. */
export async function pictureUse(
  layout: Layout,
  names: readonly string[],
  assetNames: readonly string[],
  rows: OpenRows | null,
  signal: AbortSignal,
): Promise<PictureUse> {
  if (!layoutSchema.safeParse(layout).success) return { used: 0, missing: [], missingCount: 0 };
  const known = new Set(names);
  const sources = {
    job: { has: (name: string) => known.has(name), read: () => undefined },
    assets: new Map(assetNames.map((name) => [name, new Uint8Array()])),
  };
  const fields = layout.overlays.flatMap(({ type, value, show_if }) =>
    (type === 'image' || type === 'signature') && value !== undefined && !('static' in value)
      ? [{ isTyped: type === 'signature', read: compileValue(value), shows: compileShowIf(show_if) }]
      : [],
  );
  const used = new Set<string>();
  const missing = new Map<string, { name: string; rows: number; firstRow: number }>();
  let stretchEnds = performance.now() + STRETCH_MS;
  for (let row = 1; fields.length > 0 && row <= (rows?.info.rowCount ?? 0) && !signal.aborted; row += 1) {
    const cells = rows?.engineCells(row) ?? new Map();
    for (const { isTyped, read, shows } of fields) {
      const value = read(cells, NO_NOTES).trim();
      if (value === '' || !shows(cells)) continue;
      const name = jobAssetName(value);
      if (name !== undefined && known.has(name)) used.add(name);
      // A signature that is not a picture is a typed name.
      else if ((!isTyped || looksLikePicture(value, sources)) && isMissingPicture(value, sources)) {
        const listed = missing.get(value) ?? { name: value, rows: 0, firstRow: row };
        missing.set(value, { ...listed, rows: listed.rows + 1 });
      }
    }
    if (performance.now() < stretchEnds) continue;
    await breathe();
    stretchEnds = performance.now() + STRETCH_MS;
  }
  return {
    used: used.size,
    missing: [...missing.values()].slice(0, MOST_LISTED),
    missingCount: missing.size,
  };
}
