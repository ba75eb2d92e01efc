import { openFace } from '#fill/fonts/face.ts';

/** A font file with only these characters; each shows the glyph of another character in `file`. */
export function remappedFont(file: Uint8Array, characters: Readonly<Record<string, string>>): Uint8Array {
  const face = openFace('original', file);
  const groups = Object.entries(characters)
    .map(
      ([shown, original]) => [shown.codePointAt(0) ?? 0, face.glyphOf(original.codePointAt(0) ?? 0)] as const,
    )
    .sort(([a], [b]) => a - b);
  return withTable(file, 'cmap', formatTwelve(groups));
}

/** A cmap table with one subtable of format 12 for platform 3, encoding 10. */
function formatTwelve(groups: readonly (readonly [number, number])[]): Buffer {
  const table = Buffer.alloc(12 + 16 + 12 * groups.length);
  table.writeUInt16BE(1, 2);
  table.writeUInt16BE(3, 4);
  table.writeUInt16BE(10, 6);
  table.writeUInt32BE(12, 8);
  table.writeUInt16BE(12, 12);
  table.writeUInt32BE(16 + 12 * groups.length, 16);
  table.writeUInt32BE(groups.length, 24);
  groups.forEach(([character, glyph], index) => {
    const at = 28 + 12 * index;
    table.writeUInt32BE(character, at);
    table.writeUInt32BE(character, at + 4);
    table.writeUInt32BE(glyph, at + 8);
  });
  return table;
}

/** Replaces one table of the file; checksums are not updated, because no reader checks them. */
function withTable(file: Uint8Array, tag: string, content: Buffer): Uint8Array {
  const bytes = Buffer.concat([file, Buffer.alloc((4 - (file.length % 4)) % 4), content]);
  const count = bytes.readUInt16BE(4);
  for (let index = 0; index < count; index += 1) {
    const at = 12 + 16 * index;
    if (bytes.toString('latin1', at, at + 4) !== tag) continue;
    bytes.writeUInt32BE(bytes.length - content.length, at + 8);
    bytes.writeUInt32BE(content.length, at + 12);
  }
  return bytes;
}
