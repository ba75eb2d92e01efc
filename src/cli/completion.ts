import { Argument, type Command } from 'commander';
import { bashScript } from './completion/bash.ts';
import { type CommandNode, commandTree } from './completion/command-tree.ts';
import { fishScript } from './completion/fish.ts';
import { zshScript } from './completion/zsh.ts';

const SCRIPTS: Readonly<Record<string, (tree: readonly CommandNode[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

/** Adds `rowpress completion`, which describes all commands that the program has when it runs. */
export function registerCompletion(program: Command): void {
  program
    .command('completion')
    .description('Print a script that completes commands and options in a shell')
    .addArgument(new Argument('<shell>', 'Shell to complete in').choices(Object.keys(SCRIPTS)))
    .action((shell: string) => {
      process.stdout.write(SCRIPTS[shell]?.(commandTree(program)) ?? '');
    });
}
