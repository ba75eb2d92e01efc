import { z } from 'zod';
import type { Field } from '../fields/field-value.ts';
import { no } from '../http/refusals.ts';
import type { RowPlan } from './row-plan.ts';

const MAPPED_FIELDS = ['email', 'name', 'custom-field', 'country', 'subscriber-status'] as const;

export const mapping = z
  .object({
    csv_column: z.string().describe('Name of a column in the first line of the CSV'),
    field: z.object({
      type: z.enum(MAPPED_FIELDS),
      custom_field_id: z.string().nullish().describe('Only with custom-field'),
    }),
  })
  .meta({ id: 'ImportMapping', description: 'The field that a column is imported into' });
export type Mapping = z.infer<typeof mapping>;

/** Checks what does not depend on the file: each field and column once, an email, existing custom fields. */
export function checkMappings(mappings: readonly Mapping[], fields: ReadonlyMap<string, Field>): void {
  const columns = new Set<string>();
  const targets = new Set<string>();
  for (const [i, { csv_column: column, field }] of mappings.entries()) {
    const where = `mappings.${i}`;
    const target = field.type === 'custom-field' ? customFieldOf(field, where, fields) : field.type;
    if (columns.has(column))
      throw no('duplicate_mapping', 'A column is mapped more than once.', {
        field: `${where}.csv_column`,
        reason: 'mapped twice',
      });
    if (targets.has(target))
      throw no('duplicate_mapping', 'Two columns are mapped to the same field.', {
        field: `${where}.field`,
        reason: 'mapped twice',
      });
    columns.add(column);
    targets.add(target);
  }
  if (!targets.has('email'))
    throw no('email_mapping_required', 'One column must be mapped to the email.', {
      field: 'mappings',
      reason: 'no email',
    });
}

function customFieldOf(field: Mapping['field'], where: string, fields: ReadonlyMap<string, Field>): string {
  const id = field.custom_field_id?.toLowerCase();
  if (id === undefined || !fields.has(id))
    throw no('invalid_mapping', 'A mapping names a custom field that does not exist.', {
      field: `${where}.field.custom_field_id`,
      reason: 'no such custom field',
    });
  return id;
}

/** Makes the plan for a file with these headers. */
export function planRows(
  mappings: readonly Mapping[],
  headers: readonly string[],
  fields: ReadonlyMap<string, Field>,
): RowPlan {
  const plan: {
    email: number;
    name?: number;
    country?: number;
    status?: number;
    fields: RowPlan['fields'][number][];
  } = { email: -1, fields: [] };
  for (const [i, { csv_column: name, field }] of mappings.entries()) {
    const column = headers.indexOf(name);
    if (column === -1)
      throw no('unknown_csv_column', 'A mapping names a column that the CSV does not have.', {
        field: `mappings.${i}.csv_column`,
        reason: 'no such column',
      });
    if (field.type === 'custom-field') {
      const known = fields.get(field.custom_field_id?.toLowerCase() ?? '');
      if (known === undefined) throw new Error('bug: mappings were not checked');
      plan.fields.push({ column, field: known });
    } else if (field.type === 'subscriber-status') plan.status = column;
    else plan[field.type] = column;
  }
  return plan;
}

const GUESSES: readonly (readonly [Exclude<Mapping['field']['type'], 'custom-field'>, RegExp])[] = [
  ['email', /^(e-?mail|email ?address|e-?mail ?address|subscriber ?email|mail)$/],
  ['name', /^(name|full ?name|display ?name|subscriber ?name|contact ?name)$/],
  ['country', /^(country|country ?code|land|pays)$/],
  ['subscriber-status', /^(status|subscriber ?status|subscription ?status|state)$/],
];

/** Suggests mappings for an upload's headers by name. Custom fields match by label. */
export function proposeMappings(headers: readonly string[], fields: readonly Field[]): Mapping[] {
  const proposed: Mapping[] = [];
  const free = new Map(
    headers.filter((header) => header.trim() !== '').map((header) => [header, plain(header)]),
  );
  const take = (header: string | undefined, field: Mapping['field']) => {
    if (header === undefined) return;
    proposed.push({ csv_column: header, field });
    free.delete(header);
  };
  const find = (wanted: (name: string) => boolean) => [...free].find(([, name]) => wanted(name))?.[0];
  for (const [type, pattern] of GUESSES)
    take(
      find((name) => pattern.test(name)),
      { type },
    );
  for (const { id, label } of fields)
    take(
      find((name) => name === plain(label)),
      { type: 'custom-field', custom_field_id: id },
    );
  return proposed;
}

function plain(header: string): string {
  return header
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_]+/g, ' ');
}
