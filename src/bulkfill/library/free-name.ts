import { MAX_NAME_CHARS } from '../projects/project-reference.ts';

const MAX_TRIES = 1_000;

/** Names to try in turn: with `copy`, `Letter (copy)`, `Letter (copy 2)`; without, `Letter`, `Letter (2)`. */
export function* namesLike(name: string, mark?: 'copy'): Generator<string> {
  for (let number = 1; number <= MAX_TRIES; number += 1) {
    const words = [mark, number > 1 ? number : undefined].filter((word) => word !== undefined);
    yield words.length === 0 ? name : withEnd(name, ` (${words.join(' ')})`);
  }
}

/** Shortens the name so that the end fits. */
function withEnd(name: string, end: string): string {
  const kept = [...name].slice(0, MAX_NAME_CHARS - end.length).join('');
  return `${kept.trimEnd()}${end}`;
}
