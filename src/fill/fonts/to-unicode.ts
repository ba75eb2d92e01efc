/**
 * Writes a ToUnicode CMap (ISO 32000-2 §9.10.3): the text of each two-byte code, so that a reader can search and copy
 * shaped text. Blocks have at most 100 entries, as the CMap format requires.
 */
export function toUnicodeCMap(texts: readonly (readonly [code: number, text: string])[]): string {
  const lines = [
    '/CIDInit /ProcSet findresource begin',
    '12 dict begin',
    'begincmap',
    '/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def',
    '/CMapName /Adobe-Identity-UCS def',
    '/CMapType 2 def',
    '1 begincodespacerange',
    '<0000> <FFFF>',
    'endcodespacerange',
  ];
  for (let from = 0; from < texts.length; from += 100) {
    const block = texts.slice(from, from + 100);
    lines.push(`${block.length} beginbfchar`);
    for (const [code, text] of block) lines.push(`<${hex16(code)}> <${utf16Hex(text)}>`);
    lines.push('endbfchar');
  }
  lines.push('endcmap', 'CMapName currentdict /CMap defineresource pop', 'end', 'end');
  return lines.join('\n');
}

export function utf16Hex(text: string): string {
  let hex = '';
  for (let index = 0; index < text.length; index += 1) hex += hex16(text.charCodeAt(index));
  return hex;
}

function hex16(value: number): string {
  return value.toString(16).toUpperCase().padStart(4, '0');
}
