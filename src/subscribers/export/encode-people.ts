import { csvLine, neutraliseCell } from '#lib/records/csv/safe-cell.ts';
import type { SubscriberRecord } from '#storage/subscribers/people.ts';
import { fieldText } from '../fields/field-value.ts';
import type { ExportFormat } from './export-input.ts';

export interface ExportedField {
  readonly id: string;
  readonly label: string;
}

const COLUMNS = ['email', 'name', 'status', 'country', 'subscribed_at', 'last_opened_at', 'tags'] as const;

/** Marks a custom field named like a built-in column: a file with two columns of the same name could not be imported. */
export function exportHeaders(fields: readonly ExportedField[]): string[] {
  const own = new Set<string>(COLUMNS);
  return [...COLUMNS, ...fields.map(({ label }) => (own.has(label) ? `${label} (custom field)` : label))];
}

/** The cells of one person, by column. */
export function exportCells(person: SubscriberRecord, fields: readonly ExportedField[]): string[] {
  return [
    person.email,
    person.name,
    person.status,
    person.country ?? '',
    person.subscribed_at.toISOString(),
    person.last_opened_at?.toISOString() ?? '',
    person.tags.map((tag) => tag.name).join(', '),
    ...fields.map(({ id }) => fieldText(person.custom_fields[id])),
  ];
}

/** What comes before the first person of a file: the header of a CSV. */
export function encodeStart(format: ExportFormat, fields: readonly ExportedField[]): Uint8Array[] {
  return format === 'csv' ? [Buffer.from(csvLine(exportHeaders(fields).map(neutraliseCell)))] : [];
}

/** Encodes batches of people; holds one batch in memory. */
export async function* encodePeople(
  format: ExportFormat,
  people: AsyncIterable<readonly SubscriberRecord[]>,
  fields: readonly ExportedField[],
  onBatch: (count: number) => void,
): AsyncGenerator<Uint8Array> {
  for await (const batch of people) {
    onBatch(batch.length);
    const lines = batch.map((person) =>
      format === 'csv' ? csvLine(exportCells(person, fields).map(neutraliseCell)) : jsonLine(person, fields),
    );
    yield Buffer.from(lines.join(''));
  }
}

/** Newline-delimited JSON. Values keep their types; custom fields are keyed by label. */
function jsonLine(person: SubscriberRecord, fields: readonly ExportedField[]): string {
  const custom = fields.flatMap(({ id, label }) => {
    const value = person.custom_fields[id];
    return value === undefined ? [] : [[label, value] as const];
  });
  const { id, email, name, status, country, subscribed_at, last_opened_at, sequence_ids } = person;
  const tags = person.tags.map((tag) => tag.name);
  return `${JSON.stringify({ id, email, name, status, country, subscribed_at, last_opened_at, tags, sequence_ids, custom_fields: Object.fromEntries(custom) })}\n`;
}
