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
  const layout = new Command('layout').description('Write, seal and inspect layouts');

  layout
    .command('seal')
    .description('Seal a layout into a .doqlo package')
    .requiredOption('--layout <file>', 'layout.json; files in assets/ beside it are included')
    .requiredOption('--pdf <file>', 'PDF that the layout was made for')
    .requiredOption('-o, --output <file>', 'Package to write; - is standard output')
    .option('--assets <folder>', 'Fonts and images, instead of assets/ beside the layout')
    .option('--strict', 'Treat warnings as errors', false)
    .option('--json', 'Print one JSON object', false)
    .action((options: SealOptions) => sealLayout(options, settings()));

  layout
    .command('inspect')
    .description('Check a package and show its contents')
    .argument('<package>')
    .option('--json', 'Print one JSON object', false)
    .action((path: string, options: { json: boolean }) => inspectPackage(path, options.json, settings()));

  layout
    .command('from-form')
    .description('Create a layout from the form fields of a PDF')
    .argument('<pdf>')
    .option('-o, --output <file>', 'Layout to write', '-')
    .option('--json', 'Print one JSON object, unless the layout goes to standard output', false)
    .action((path: string, options: { output: string; json: boolean }) =>
      layoutFromForm(path, options.output, options.json, settings().maxColumns),
    );

  layout
    .command('schema')
    .description('Print the JSON Schema of layout.json')
    .option('--json', 'No effect: the schema is JSON', false)
    .action(() => {
      process.stdout.write(layoutJsonSchemaText());
    });

  return layout;
}
