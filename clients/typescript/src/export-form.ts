import { snakeName, toSnake } from './camel-case.ts';
import { buildForm } from './multipart.ts';
import { uuid } from './request-ids.ts';
import type { Source } from './source.ts';
import type { Call } from './transport.ts';

const FILE_FIELDS: Readonly<Record<string, string>> = {
  pdf: 'pdf',
  package: 'doqlo_file',
  csv: 'csv_file',
  xlsx: 'rows_file',
  assets: 'assets_file',
};
/** Fields that are sent as files of JSON, because they can be large. */
const JSON_FIELDS: Readonly<Record<string, string>> = { rows: 'rows_json', layout: 'layout' };

/** Files and texts of a form. Members that this client does not know are sent under their snake_case name. */
export async function formOf(input: object): Promise<Pick<Call, 'body'>> {
  const texts: Record<string, string> = {};
  const files: Record<string, Source> = {};
  for (const [name, value] of Object.entries(input)) {
    const file = FILE_FIELDS[name];
    const json = JSON_FIELDS[name];
    if (value === undefined) continue;
    if (file !== undefined) files[file] = value as Source;
    else if (json !== undefined) files[json] = new TextEncoder().encode(JSON.stringify(value));
    else texts[snakeName(name)] = typeof value === 'string' ? value : JSON.stringify(toSnake(value));
  }
  const form = await buildForm(texts, files, `rowpress-${uuid()}`);
  return { body: { type: form.contentType, source: form.body } };
}
