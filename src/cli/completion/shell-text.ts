import type { CommandNode } from './command-tree.ts';

/** Quotes a text for bash and zsh. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Branches of a `case` of bash or zsh. */
export function cases<T>(
  entries: readonly (readonly [key: string, value: T])[],
  indent: string,
  body: (value: T) => string,
): string {
  return entries.map(([key, value]) => `${indent}${quoted(key)}) ${body(value)} ;;`).join('\n');
}

/** Branches that follow the words of a line down the tree of commands; `at` is the path so far. */
export function steps(tree: readonly CommandNode[], indent: string): string {
  const below = tree.filter(({ path }) => path !== '');
  const keyOf = (path: string) => (path.includes(' ') ? path : ` ${path}`);
  return cases(
    below.map(({ path }) => [keyOf(path), path]),
    indent,
    (path) => `at=${quoted(path)}`,
  );
}
