import type { CommandNode, Word } from './command-tree.ts';
import { cases, quoted, steps } from './shell-text.ts';

const described = (words: readonly Word[]) =>
  words.map(({ word, meaning }) => quoted(`${word}:${meaning.replaceAll('\\', '\\\\')}`)).join(' ');

/** The script for zsh. Without words to offer, zsh completes file names. */
export function zshScript(tree: readonly CommandNode[]): string {
  const values = tree.flatMap(({ path, values: options }) =>
    options.map(({ flag, words }) => [`${path} ${flag}`, words] as const),
  );
  return `#compdef rowpress
# zsh completion for rowpress. Load it with: source <(rowpress completion zsh)
_rowpress() {
  local at='' i
  local -a commands options
  for ((i = 2; i < CURRENT; i++)); do
    case "$at \${words[i]}" in
${steps(tree, '      ')}
    esac
  done
  case "$at \${words[CURRENT-1]}" in
${cases(values, '    ', (words) => (words.length === 0 ? '_files; return' : `compadd -- ${words.map(quoted).join(' ')}; return`))}
  esac
  case "$at" in
${cases(
  tree.map((node) => [node.path, node]),
  '    ',
  ({ commands, options, words }) =>
    `commands=(${described(commands)}${words.map((word) => quoted(word)).join(' ')}); options=(${described(options)})`,
)}
  esac
  if [[ \${words[CURRENT]} == -* ]]; then
    _describe option options
  elif (( \${#commands} )); then
    _describe command commands
  else
    _files
  fi
}
compdef _rowpress rowpress
`;
}
