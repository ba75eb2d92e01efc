import type { Sfnt } from './sfnt.ts';

/** The family of a font and the style that the file has in it. */
export interface FontNames {
  readonly family: string;
  readonly bold: boolean;
  readonly italic: boolean;
}

/** Name ids: the typographic family, then the family of at most four styles. */
const FAMILY_IDS = [16, 1];
const WINDOWS = 3;

/** Reads the family from the name table (Windows platform, UTF-16) and the style from `macStyle` of the head table. */
export function fontNames(font: Pick<Sfnt, 'table' | 'postScriptName'>): FontNames {
  const name = font.table('name');
  const family = FAMILY_IDS.map((id) => nameOf(name, id)).find((text) => text !== '');
  const style = font.table('head')?.getUint16(44) ?? 0;
  return {
    family: family ?? font.postScriptName,
    bold: (style & 1) !== 0,
    italic: (style & 2) !== 0,
  };
}

function nameOf(name: DataView | undefined, id: number): string {
  if (name === undefined || name.byteLength < 6) return '';
  const strings = name.getUint16(4);
  for (let index = 0, count = name.getUint16(2); index < count; index += 1) {
    const record = 6 + index * 12;
    if (record + 12 > name.byteLength) break;
    if (name.getUint16(record) !== WINDOWS || name.getUint16(record + 6) !== id) continue;
    const from = strings + name.getUint16(record + 10);
    const to = Math.min(from + name.getUint16(record + 8), name.byteLength - 1);
    let text = '';
    for (let at = from; at < to; at += 2) text += String.fromCharCode(name.getUint16(at));
    if (text.trim() !== '') return text.trim();
  }
  return '';
}
