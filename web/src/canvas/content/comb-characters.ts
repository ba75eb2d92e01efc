import { isRightToLeft } from '#fill/draw/text/characters.ts';
import { clustersOf } from '#fill/draw/text/clusters.ts';

/** The characters of the cells from left to right: right-to-left text is reversed, and the numbers in it are not. */
export function combCharacters(text: string, comb: number): string[] {
  const all = clustersOf(text.replaceAll(/\s/g, ' ').trimEnd()).map((cluster) => cluster.text);
  const kept = all.slice(0, comb);
  if (!kept.some((character) => isRightToLeft(character.codePointAt(0) ?? 0))) return kept;
  const reversed: string[] = [];
  let number: string[] = [];
  for (const character of [...kept].reverse()) {
    if (/^[0-9]/.test(character)) number = [character, ...number];
    else {
      reversed.push(...number, character);
      number = [];
    }
  }
  return [...reversed, ...number];
}
