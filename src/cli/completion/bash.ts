import type { CommandNode, Word } from './command-tree.ts';
import { cases, quoted, steps } from './shell-text.ts';

const list = (words: readonly Word[]) => words.map(({ word }) => word).join(' ');

/** The script for bash 4 and newer. Without words to offer, bash completes file names. */
export function bashScript(tree: readonly CommandNode[]): string {
  const values = tree.flatMap(({ path, values: options }) =>
    options.map(({ flag, words }) => [`${path} ${flag}`, words.join(' ')] as const),
  );
  const offered = values.filter(([, words]) => words !== '');
  const free = values.filter(([, words]) => words === '');
  return `# bash completion for rowpress. Load it with: source <(rowpress completion bash)
_rowpress() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} at='' words='' options='' i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$at \${COMP_WORDS[i]}" in
${steps(tree, '      ')}
    esac
  done
  COMPREPLY=()
  case "$at $previous" in
${cases(offered, '    ', (words) => `COMPREPLY=($(compgen -W ${quoted(words)} -- "$current")); return`)}
    ${free.map(([key]) => quoted(key)).join(' | ')}) return ;;
  esac
  case "$at" in
${cases(
  tree.map(({ path, commands, options, words }) => [
    path,
    [list(commands) || words.join(' '), list(options)],
  ]),
  '    ',
  ([words = '', options = '']) => `words=${quoted(words)} options=${quoted(options)}`,
)}
  esac
  [[ $current == -* ]] && words=$options
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _rowpress rowpress
`;
}
