import { type Command, InvalidArgumentError, Option } from 'commander';
import { OUTPUT_KINDS } from '#fill/output-kind.ts';
import { parseSheet, SheetInvalid } from '#fill/sheet/read-sheet.ts';
import type { Sheet } from '#fill/sheet/sheet.ts';
import { encodingOf } from '#lib/records/csv/decode-text.ts';
import { MATCH_COLUMNS } from '#lib/rows/labelled-rows.ts';
import { CELL_VALUES } from '#lib/xlsx/cell-values.ts';

/** Adds the options that filling here and filling on a server have in common. */
export function withRowOptions(command: Command): Command {
  return command
    .option(
      '--max-failed-row-percent <n>',
      'Stop if more than this percentage of rows fails',
      percentage,
      100,
    )
    .option('--flatten-forms', 'Turn form fields into page content', false)
    .option('--include-stickers', 'Draw sticker overlays', false)
    .option(
      '--filename-columns <a,b>',
      'Columns whose values are appended to file names (at most 3)',
      columns,
      [],
    )
    .option(
      '--group-by <a,b>',
      'Make one document per group of rows with equal values in these columns (at most 3 keys or labels)',
      columns,
      [],
    )
    .option('--csv-header', 'Read column names from line 1 of the CSV or sheet', false)
    .addOption(
      new Option(
        '--match-columns <how>',
        'Match columns of the rows by position, or by the labels of the layout (line 1 or JSON keys)',
      )
        .choices([...MATCH_COLUMNS])
        .default('position'),
    )
    .addOption(
      new Option(
        '--output-kind <kind>',
        'Write one PDF per row, one PDF of all rows (merged.pdf in the ZIP), or both',
      )
        .choices([...OUTPUT_KINDS])
        .default('zip'),
    )
    .option(
      '--sheet <preset|json>',
      'Place page 1 of each row on sheets of labels, such as avery-l7160, in the PDF of all rows',
      sheet,
    )
    .option(
      '--duplex',
      'Follow documents with an odd number of pages by a blank page in the PDF of all rows, to print on both sides',
      false,
    )
    .option(
      '--password-column <column>',
      "Encrypt each row's PDF with the value of this column (key or label) as its password",
    )
    .option(
      '--verify-column <column>',
      'Write the address at which each document can be verified into this column (key or label)',
    )
    .option(
      '--sign-manifest',
      "Add manifest.sig, a signature of the manifest with the installation's seal key",
      false,
    )
    .option(
      '--csv-encoding <label>',
      'Encoding of the CSV, such as windows-1252 (default: byte order mark, else UTF-8)',
      encoding,
    )
    .addOption(
      new Option('--cell-values <which>', 'Read cells of a workbook as the spreadsheet shows them, or raw')
        .choices([...CELL_VALUES])
        .default('shown'),
    );
}

export function percentage(text: string): number {
  if (!/^(0|[1-9][0-9]?|100)$/.test(text))
    throw new InvalidArgumentError('It must be an integer from 0 to 100.');
  return Number(text);
}

function sheet(text: string): Sheet {
  try {
    return parseSheet(text);
  } catch (error) {
    if (error instanceof SheetInvalid) throw new InvalidArgumentError(error.message);
    throw error;
  }
}

function encoding(label: string): string {
  const known = encodingOf(label);
  if (known === null) throw new InvalidArgumentError('It must be a label of the WHATWG Encoding standard.');
  return known;
}

function columns(text: string): string[] {
  const names = list(text);
  if (names.length > 3) throw new InvalidArgumentError('It must have at most 3 columns.');
  return names;
}

function list(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
