/**
 * Reads the charset of a CID-keyed CFF font (Adobe Technical Note 5176, §13 and §18) from a subset that harfbuzz wrote.
 * In such a font, a PDF looks up CIDs in the charset (ISO 32000-2 §9.7.4.2). In any other CFF font, CIDs are glyph
 * indices, and the result is undefined.
 */
export function cidsOfCff(cff: DataView, glyphCount: number): Uint16Array | undefined {
  const topDictIndex = skipIndex(cff, cff.getUint8(2)); // header size, then the Name INDEX
  const topDict = readTopDict(cff, topDictIndex);
  if (!topDict.cidKeyed) return undefined;
  const cids = new Uint16Array(glyphCount);
  if (topDict.charset <= 2) {
    for (let glyph = 0; glyph < glyphCount; glyph += 1) cids[glyph] = glyph;
    return cids;
  }
  let at = topDict.charset;
  const format = cff.getUint8(at);
  at += 1;
  for (let glyph = 1; glyph < glyphCount; ) {
    const first = cff.getUint16(at);
    const more = format === 0 ? 0 : format === 1 ? cff.getUint8(at + 2) : cff.getUint16(at + 2);
    at += format === 0 ? 2 : format === 1 ? 3 : 4;
    for (let step = 0; step <= more && glyph < glyphCount; step += 1, glyph += 1) cids[glyph] = first + step;
  }
  return cids;
}

/** An INDEX is a count, an offset size, count + 1 offsets relative to the byte before the data, and the data. */
function skipIndex(view: DataView, at: number): number {
  const count = view.getUint16(at);
  if (count === 0) return at + 2;
  const size = view.getUint8(at + 2);
  return at + 3 + (count + 1) * size - 1 + offsetAt(view, at + 3 + count * size, size);
}

function offsetAt(view: DataView, at: number, size: number): number {
  let offset = 0;
  for (let index = 0; index < size; index += 1) offset = offset * 256 + view.getUint8(at + index);
  return offset;
}

const OPERATOR_CHARSET = 15;
const OPERATOR_ROS = 30; // after the escape byte 12

function readTopDict(view: DataView, index: number): { cidKeyed: boolean; charset: number } {
  const size = view.getUint8(index + 2);
  const data = index + 3 + 2 * size - 1;
  let at = data + offsetAt(view, index + 3, size);
  const end = data + offsetAt(view, index + 3 + size, size);
  let operand = 0;
  let charset = 0;
  let cidKeyed = false;
  while (at < end) {
    const byte = view.getUint8(at);
    if (byte === 12) {
      if (view.getUint8(at + 1) === OPERATOR_ROS) cidKeyed = true;
      at += 2;
    } else if (byte <= 21) {
      if (byte === OPERATOR_CHARSET) charset = operand;
      at += 1;
    } else if (byte === 28) {
      operand = view.getInt16(at + 1);
      at += 3;
    } else if (byte === 29) {
      operand = view.getInt32(at + 1);
      at += 5;
    } else if (byte === 30) {
      at += 1;
      while (at < end && (view.getUint8(at) & 0x0f) !== 0x0f && view.getUint8(at) >> 4 !== 0x0f) at += 1;
      at += 1;
    } else if (byte <= 246) {
      operand = byte - 139;
      at += 1;
    } else {
      const low = view.getUint8(at + 1);
      operand = byte <= 250 ? (byte - 247) * 256 + low + 108 : -(byte - 251) * 256 - low - 108;
      at += 2;
    }
  }
  return { cidKeyed, charset };
}
