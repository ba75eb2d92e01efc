import { Command } from 'commander';
import { type SandboxMode, setSandboxMode } from '#fill/node/sandbox/current.ts';
import type { SealKeySettings } from '#fill/node/seal-key.ts';
import { layoutJsonSchemaText } from '#fill/package/layout-json-schema.ts';
import { layoutFromForm } from './layout-from-form.ts';
import { inspectPackage } from './layout-inspect.ts';
import { type SealOptions, sealLayout } from './layout-seal.ts';

interface LayoutSettings extends SealKeySettings {
  readonly sandbox: SandboxMode;
  readonly maxColumns: number;
}

/** `rowpress layout …`. Settings are read only by the commands that need them. */
export function layoutCommand(readSettings: () => LayoutSettings): Command {
  const settings = () => {
    const read = readSettings();
    setSandboxMode(read.sandbox);
    return read;
  };
  const layout = new Command('layout').description('write, seal and inspect layouts');

  layout
    .command('seal')
    .description('seal a layout into a .doqlo package')
    .requiredOption('--layout <file>', 'layout.json; files in assets/ beside it go into the package')
    .requiredOption('--pdf <file>', 'the PDF the layout was made for')
    .requiredOption('-o, --output <file>', 'the package to write, or - for standard output')
    .option('--assets <folder>', 'fonts and images, instead of assets/ beside the layout')
    .option('--strict', 'refuse what would otherwise only be warned of', false)
    .option('--json', 'print one JSON object', false)
    .action((options: SealOptions) => sealLayout(options, settings()));

  layout
    .command('inspect')
    .description('check a package and show what it holds')
    .argument('<package>')
    .option('--json', 'print one JSON object', false)
    .action((path: string, options: { json: boolean }) => inspectPackage(path, options.json, settings()));

  layout
    .command('from-form')
    .description('propose a layout from the form fields of a PDF')
    .argument('<pdf>')
    .option('-o, --output <file>', 'where to write the layout', '-')
    .option('--json', 'print one JSON object, unless the layout goes to standard output', false)
    .action((path: string, options: { output: string; json: boolean }) =>
      layoutFromForm(path, options.output, options.json, settings().maxColumns),
    );

  layout
    .command('schema')
    .description('print the JSON Schema of layout.json')
    .option('--json', 'the same: the schema is JSON', false)
    .action(() => {
      process.stdout.write(layoutJsonSchemaText());
    });

  return layout;
}
