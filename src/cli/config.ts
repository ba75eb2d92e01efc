import type { Command } from 'commander';
import { printJson } from './answer.ts';
import { readConfig } from './read-config.ts';
import { printTable } from './table.ts';

export function registerConfig(program: Command): void {
  program
    .command('config')
    .description('Show every setting and its value; secrets are masked')
    .option('--json', 'Print one JSON object')
    .action(run);
}

function run({ json }: { readonly json?: true }): void {
  const { shown } = readConfig();
  if (json) printJson({ settings: shown });
  else
    printTable(
      ['NAME', 'VALUE', 'DEFAULT', 'MEANING'],
      shown.map((setting) => [setting.name, setting.value, setting.default, setting.meaning]),
    );
}
