/**
 * Maps a code point to a glyph by the `cmap` table. Format 12 (all planes) is preferred to format 4 (the first plane);
 * every font of the last twenty years has one of them. Lookups are binary searches in the file's own bytes, so opening
 * a font with 30,000 characters costs nothing.
 */
export type GlyphOf = (codePoint: number) => number;

export function readCharacterMap(cmap: DataView | undefined, glyphCount: number): GlyphOf {
  if (cmap === undefined) return () => 0;
  const best = chooseSubtable(cmap);
  if (best === undefined) return () => 0;
  const lookup = best.format === 12 ? segmentedCoverage(best.table) : segmentMapping(best.table);
  return (codePoint) => {
    try {
      const glyph = lookup(codePoint);
      return glyph < glyphCount ? glyph : 0;
    } catch (error) {
      if (error instanceof RangeError) return 0; // an offset beyond the end of the table
      throw error;
    }
  };
}

function chooseSubtable(cmap: DataView): { format: number; table: DataView } | undefined {
  let best: { format: number; table: DataView; rank: number } | undefined;
  try {
    for (let index = 0, count = cmap.getUint16(2); index < count; index += 1) {
      const platform = cmap.getUint16(4 + index * 8);
      const encoding = cmap.getUint16(6 + index * 8);
      const offset = cmap.getUint32(8 + index * 8);
      const unicode = platform === 0 || (platform === 3 && (encoding === 1 || encoding === 10));
      const symbol = platform === 3 && encoding === 0;
      if ((!unicode && !symbol) || offset + 2 > cmap.byteLength) continue;
      const format = cmap.getUint16(offset);
      const rank = format === 12 ? 3 : format === 4 ? (symbol ? 1 : 2) : 0;
      if (rank > (best?.rank ?? 0)) {
        best = {
          format,
          rank,
          table: new DataView(cmap.buffer, cmap.byteOffset + offset, cmap.byteLength - offset),
        };
      }
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return best;
}

function segmentedCoverage(table: DataView): GlyphOf {
  const groups = table.getUint32(12);
  return (codePoint) => {
    let low = 0;
    let high = groups - 1;
    while (low <= high) {
      const middle = (low + high) >>> 1;
      const group = 16 + middle * 12;
      if (codePoint < table.getUint32(group)) high = middle - 1;
      else if (codePoint > table.getUint32(group + 4)) low = middle + 1;
      else return table.getUint32(group + 8) + codePoint - table.getUint32(group);
    }
    return 0;
  };
}

function segmentMapping(table: DataView): GlyphOf {
  const segments = table.getUint16(6) / 2;
  const ends = 14;
  const starts = ends + segments * 2 + 2;
  const deltas = starts + segments * 2;
  const offsets = deltas + segments * 2;
  return (codePoint) => {
    if (codePoint > 0xffff) return 0;
    let low = 0;
    let high = segments - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (codePoint > table.getUint16(ends + middle * 2)) low = middle + 1;
      else high = middle;
    }
    const start = table.getUint16(starts + low * 2);
    if (codePoint < start || codePoint > table.getUint16(ends + low * 2)) return 0;
    const delta = table.getUint16(deltas + low * 2);
    const offset = table.getUint16(offsets + low * 2);
    if (offset === 0) return (codePoint + delta) & 0xffff;
    const glyph = table.getUint16(offsets + low * 2 + offset + (codePoint - start) * 2);
    return glyph === 0 ? 0 : (glyph + delta) & 0xffff;
  };
}
