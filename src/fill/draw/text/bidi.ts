import bidiFactory, { type Bidi } from 'bidi-js';
import { isRightToLeft } from './characters.ts';

/** The Unicode Bidirectional Algorithm. The package's declarations describe an ES module; as CommonJS its only export is the factory itself. */
export const bidi = (bidiFactory as unknown as () => Bidi)();

/** Whether the text needs the algorithm at all. */
export function hasRightToLeft(text: string): boolean {
  for (const character of text) if (isRightToLeft(character.codePointAt(0) ?? 0)) return true;
  return false;
}

/** UAX #9, rule L2: reverse every sequence at or above each level, from the highest down to the lowest odd one. */
export function visualOrder<Part extends { readonly level: number }>(
  spans: readonly Part[],
): readonly Part[] {
  let highest = 0;
  for (const { level } of spans) if (level > highest) highest = level;
  if (highest === 0) return spans;
  const order = [...spans];
  for (let level = highest; level > 0; level -= 1) {
    for (let from = 0; from < order.length; from += 1) {
      if ((order[from]?.level ?? 0) < level) continue;
      let to = from + 1;
      while (to < order.length && (order[to]?.level ?? 0) >= level) to += 1;
      order.splice(from, to - from, ...order.slice(from, to).reverse());
      from = to;
    }
  }
  return order;
}
