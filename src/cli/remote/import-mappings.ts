import { InvalidArgumentError } from 'commander';
import type { NewImport, Rowpress } from '#client/rowpress.ts';
import { CommandFailed } from '../command-failed.ts';

export type Mappings = NewImport['mappings'];
type Field = Exclude<Mappings[number]['field'], string>;

/** `Column=field` of `--map`; several are collected. */
export interface MappedColumn {
  readonly column: string;
  readonly field: string;
}

export function mappedColumn(text: string, earlier: readonly MappedColumn[] = []): MappedColumn[] {
  const at = text.lastIndexOf('=');
  if (at < 1 || at === text.length - 1)
    throw new InvalidArgumentError('It must be a column of the file and a field, such as "E-mail=email".');
  return [...earlier, { column: text.slice(0, at), field: text.slice(at + 1) }];
}

const FIELDS: Readonly<Record<string, Field>> = {
  email: { type: 'email' },
  name: { type: 'name' },
  country: { type: 'country' },
  status: { type: 'subscriber-status' },
};

/** Returns the mappings of `--map`. Another name than those of `FIELDS` is the label or the id of a custom field. */
export async function chosenMappings(client: Rowpress, chosen: readonly MappedColumn[]): Promise<Mappings> {
  const custom = chosen.every(({ field }) => FIELDS[field] !== undefined) ? [] : await customFields(client);
  return chosen.map(({ column, field }) => {
    const known = FIELDS[field] ?? custom.find(({ label, id }) => label === field || id === field);
    if (known === undefined)
      throw new CommandFailed(
        'USAGE',
        `--map: there is no field "${field}"; use ${Object.keys(FIELDS).join(', ')}, or the label of a custom field.`,
      );
    return {
      csvColumn: column,
      field: 'id' in known ? { type: 'custom-field', customFieldId: known.id } : known,
    };
  });
}

async function customFields(client: Rowpress): Promise<{ id: string; label: string }[]> {
  const fields: { id: string; label: string }[] = [];
  for await (const { id, label } of client.subscribers.customFields.list()) fields.push({ id, label });
  return fields;
}
