import { isControl, isIgnorable, isJoining, isRegionalIndicator, isStacker } from './characters.ts';

/** The end of the cluster (a character with its marks) that starts at `from`. */
export function clusterEnd(text: string, from: number): number {
  let at = from;
  let previous = text.codePointAt(at) ?? 0;
  at += previous > 0xffff ? 2 : 1;
  if (isControl(previous)) return at;
  let flagHalf = isRegionalIndicator(previous);
  while (at < text.length) {
    const codePoint = text.codePointAt(at) ?? 0;
    const completesFlag = flagHalf && isRegionalIndicator(codePoint);
    const joinedByZwj = previous === 0x200d && codePoint > 0x2000 && !isIgnorable(codePoint);
    const stacked = isStacker(previous) && codePoint >> 7 === previous >> 7; // one letter below the other
    if (!isJoining(codePoint) && !completesFlag && !joinedByZwj && !stacked) break;
    if (completesFlag) flagHalf = false;
    at += codePoint > 0xffff ? 2 : 1;
    previous = codePoint;
  }
  return at;
}

/** A cluster of a text, and where it starts. */
export interface Cluster {
  readonly text: string;
  readonly from: number;
}

/** The clusters of a text in the order of the text. Those that draw nothing (joiners, direction marks) are left out. */
export function clustersOf(text: string): Cluster[] {
  const clusters: Cluster[] = [];
  for (let from = 0, to = 0; from < text.length; from = to) {
    to = clusterEnd(text, from);
    const cluster = text.slice(from, to);
    const isDrawn = [...cluster].some((character) => !isIgnorable(character.codePointAt(0) ?? 0));
    if (isDrawn) clusters.push({ text: cluster, from });
  }
  return clusters;
}
