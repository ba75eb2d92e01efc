import type { Argument, Command, Option } from 'commander';

export interface Word {
  readonly word: string;
  readonly meaning: string;
}

/** What can follow one command, such as `keys create`. The path of the program itself is empty. */
export interface CommandNode {
  readonly path: string;
  readonly commands: readonly Word[];
  readonly options: readonly Word[];
  /** Options that take a value: the words to offer, or none for a file or a free text. */
  readonly values: readonly { readonly flag: string; readonly words: readonly string[] }[];
  /** Words to offer as the first argument. */
  readonly words: readonly string[];
}

/** Returns all commands of the program, in the order of its help. */
export function commandTree(command: Command, path: readonly string[] = []): CommandNode[] {
  const own = command.createHelp();
  const commands = own.visibleCommands(command).filter((child) => child.name() !== 'help');
  const options = own.visibleOptions(command);
  const node: CommandNode = {
    path: path.join(' '),
    commands: commands.map((child) => ({ word: child.name(), meaning: child.description() })),
    options: options.flatMap((option) =>
      flagsOf(option).map((word) => ({ word, meaning: option.description })),
    ),
    values: options
      .filter((option) => option.required || option.optional)
      .flatMap((option) => flagsOf(option).map((flag) => ({ flag, words: choicesOf(option) }))),
    words: command.registeredArguments.slice(0, 1).flatMap(choicesOf),
  };
  return [node, ...commands.flatMap((child) => commandTree(child, [...path, child.name()]))];
}

const flagsOf = ({ short, long }: Option): string[] => [short, long].filter((flag) => flag !== undefined);

/** Choices that commander knows, or those of a parser made by `oneOf`. */
function choicesOf({ argChoices, parseArg }: Option | Argument): string[] {
  const allowed = (parseArg as { readonly allowed?: readonly unknown[] } | undefined)?.allowed;
  return argChoices ?? allowed?.map(String) ?? [];
}
