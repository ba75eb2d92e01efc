/** `Our Stamp (2).png` → `assets/Our-Stamp-2-.png`, or another name if that is taken. */
export function assetNameFor(fileName: string, taken: ReadonlyMap<string, unknown>): string {
  const plain = fileName.replaceAll(/[^A-Za-z0-9._-]+/g, '-').replace(/^[^A-Za-z0-9]+/, '') || 'picture';
  const dot = plain.lastIndexOf('.');
  const [stem, ending] =
    dot > 0 ? [plain.slice(0, dot).slice(0, 80), plain.slice(dot)] : [plain.slice(0, 80), ''];
  let name = `assets/${stem}${ending}`;
  for (let number = 2; taken.has(name); number += 1) name = `assets/${stem}-${number}${ending}`;
  return name;
}
