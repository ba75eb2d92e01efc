import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { findLayoutProblems } from '#fill/layout-problems.ts';
import { layoutSchema } from '#fill/package/layout-schema.ts';
import { addFont, readFontFile, type UsableFont } from './add-font.ts';
import { emptyLayout } from './project.ts';

const file = (name: string) =>
  new Uint8Array(readFileSync(new URL(`../../../fonts/tinos/${name}`, import.meta.url)));
const regular = file('Tinos_400Regular.ttf');

/** The font with other embedding bits. */
function licensed(bits: number): Uint8Array {
  const bytes = regular.slice();
  const view = new DataView(bytes.buffer);
  for (let index = 0; index < view.getUint16(4); index += 1) {
    const record = 12 + index * 16;
    if (view.getUint32(record) === 0x4f532f32) view.setUint16(view.getUint32(record + 8) + 8, bits);
  }
  return bytes;
}

const usable = (name: string): UsableFont => {
  const font = readFontFile(name, file(name));
  if (!font.ok) throw new Error(font.message);
  return font;
};

describe('fonts of a project', () => {
  it('[EDT38] the files of a family: one font with its styles', () => {
    expect(usable('Tinos_400Regular.ttf')).toEqual({ ok: true, name: 'Tinos', style: 'regular' });
    let layout = emptyLayout('test');
    layout = addFont(layout, usable('Tinos_700Bold.ttf'), 'assets/b.ttf') ?? layout;
    expect(layout.fonts).toEqual([{ name: 'Tinos', regular: 'assets/b.ttf', bold: 'assets/b.ttf' }]);
    layout = addFont(layout, usable('Tinos_400Regular.ttf'), 'assets/r.ttf') ?? layout;
    layout = addFont(layout, usable('Tinos_700Bold_Italic.ttf'), 'assets/bi.ttf') ?? layout;
    expect(layout.fonts).toEqual([
      { name: 'Tinos', regular: 'assets/r.ttf', bold: 'assets/b.ttf', bold_italic: 'assets/bi.ttf' },
    ]);
    expect(layoutSchema.safeParse(layout).success).toBe(true);
  });

  it.each([
    [0x0002, 'its licence does not permit embedding (fsType 2)'],
    [0x0104, 'its licence does not permit subsetting, which every document needs'],
    [0x0200, 'its licence permits the embedding of bitmaps only'],
  ])(
    '[EDT38][FILL208] embedding bits %i: the file is refused, and a layout with it has a problem',
    async (bits, reason) => {
      const bytes = licensed(bits);
      expect(readFontFile('My.ttf', bytes)).toEqual({
        ok: false,
        message: `My.ttf cannot be used: ${reason}.`,
      });
      const layout = layoutSchema.parse({
        ...emptyLayout('test'),
        fonts: [{ name: 'My', regular: 'assets/My.ttf' }],
      });
      const source = { page_count: 1, form_fields: [] } as unknown as Parameters<
        typeof findLayoutProblems
      >[1];
      expect(await findLayoutProblems(layout, source, new Map([['assets/My.ttf', bytes]]))).toEqual([
        { path: 'fonts[0].regular', message: `the font My cannot be used: ${reason}` },
      ]);
    },
  );

  it('[EDT38] bits that permit it, a file that is not a font, and a truncated one: usable or refused with the reason', () => {
    for (const bits of [0x0000, 0x0004, 0x0008, 0x000a])
      expect(readFontFile('My.ttf', licensed(bits)).ok).toBe(true);
    expect(readFontFile('a.ttf', new TextEncoder().encode('not a font at all'))).toEqual({
      ok: false,
      message: 'a.ttf cannot be used: the file is not a TrueType or OpenType font.',
    });
    expect(readFontFile('a.ttf', regular.slice(0, 600))).toMatchObject({ ok: false });
  });
});
