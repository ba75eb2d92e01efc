import { readXml } from './read-xml.ts';

/**
 * The text of a string item (ECMA-376, part 1, section 18.4.8), plain or in formatted runs, without the phonetic hints above Chinese
 * characters (`rPh`).
 */
export class StringText {
  #text = '';
  #inText = false;
  #inReading = false;

  open(name: string): void {
    if (name === 'rPh') this.#inReading = true;
    else if (name === 't') this.#inText = !this.#inReading;
  }

  add(text: string): void {
    if (this.#inText) this.#text += text;
  }

  close(name: string): void {
    if (name === 'rPh') this.#inReading = false;
    else if (name === 't') this.#inText = false;
  }

  /** Returns the text and clears it for the next item. */
  take(): string {
    const text = unescaped(this.#text);
    this.#text = '';
    return text;
  }
}

/** Strings that cells reference by number. */
export function readSharedStrings(bytes: Uint8Array): string[] {
  const strings: string[] = [];
  const text = new StringText();
  readXml(bytes, {
    open: (name) => text.open(name),
    text: (part) => text.add(part),
    close: (name) => {
      text.close(name);
      if (name === 'si') strings.push(text.take());
    },
  });
  return strings;
}

/** Characters that XML cannot contain are written `_xHHHH_` (section 22.9.2.19). NUL and lone surrogates have no glyph. */
export function unescaped(text: string): string {
  if (!text.includes('_x')) return text;
  return text
    .replace(/_x([0-9A-Fa-f]{4})_/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replaceAll('\0', '\ufffd')
    .toWellFormed();
}
