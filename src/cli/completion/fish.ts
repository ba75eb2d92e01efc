import type { CommandNode } from './command-tree.ts';

/** Quotes a text for fish. */
const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

/** The script for fish 3 and newer. */
export function fishScript(tree: readonly CommandNode[]): string {
  const below = tree.filter(({ path }) => path !== '');
  const steps = below.map(({ path }) => {
    const key = path.includes(' ') ? path : ` ${path}`;
    return `      case ${quoted(key)}\n        set at ${quoted(path)}`;
  });
  return `# fish completion for rowpress. Load it with: rowpress completion fish | source
function __rowpress_at
  set -l at ''
  for word in (commandline -opc)[2..-1]
    switch "$at $word"
${steps.join('\n')}
    end
  end
  test "$at" = "$argv[1]"
end
complete -c rowpress -e
${tree.flatMap(linesOf).join('\n')}
`;
}

function linesOf({ path, commands, options, values, words }: CommandNode): string[] {
  const start = `complete -c rowpress -n ${quoted(`__rowpress_at ${quoted(path)}`)}`;
  const offers = new Map(values.map(({ flag, words: offered }) => [flag, offered]));
  return [
    ...commands.map(({ word, meaning }) => `${start} -f -a ${quoted(word)} -d ${quoted(meaning)}`),
    ...(words.length === 0 ? [] : [`${start} -f -a ${quoted(words.join(' '))}`]),
    ...options.map(({ word, meaning }) => {
      const offered = offers.get(word);
      const flag = word.startsWith('--') ? `-l ${word.slice(2)}` : `-s ${word.slice(1)}`;
      const value =
        offered === undefined ? '' : offered.length === 0 ? ' -r' : ` -x -a ${quoted(offered.join(' '))}`;
      return `${start} ${flag}${value} -d ${quoted(meaning)}`;
    }),
  ];
}
