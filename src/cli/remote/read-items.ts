import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import type { Item } from '#client/rowpress.ts';
import { isInexactInteger } from '#lib/inexact-integer.ts';
import { CsvReader } from '#lib/records/csv/csv-reader.ts';
import { RecordsRefused } from '#lib/records/records-refused.ts';
import { CommandFailed } from '../command-failed.ts';

export type ItemFormat = 'json' | 'csv' | 'ndjson';

export function formatOf(path: string): ItemFormat {
  const extension = extname(path).toLowerCase();
  return extension === '.json' ? 'json' : extension === '.csv' ? 'csv' : 'ndjson';
}

/** Reads all items of a file. Throws `INVALID_ITEMS` with the line for what cannot be read. */
export async function readItems(path: string, format: ItemFormat): Promise<Item[]> {
  if (format === 'csv') {
    const items: Item[] = [];
    for await (const item of csvItems(path)) items.push(item);
    return items;
  }
  const text = await readFile(path, 'utf8');
  if (format === 'ndjson')
    return text
      .split('\n')
      .flatMap((line, index) =>
        line.trim() === '' ? [] : [itemOf(parse(line, `${path}, line ${index + 1}`))],
      );
  const value = parse(text, path);
  const items = isObject(value) && Object.keys(value).join() === 'items' ? value.items : value;
  if (!Array.isArray(items)) throw invalid(`${path} must be an array of items, or {"items": […]}.`);
  return items.map(itemOf);
}

/**
 * Reads a CSV with a header, one item per row. A header such as `weight_kg:number` gives the type of a member (`text`, `number`,
 * `boolean` or `json`); without one, the member is a text. A blank cell leaves its member out.
 */
export async function* csvItems(path: string): AsyncGenerator<Item> {
  let columns: readonly Column[] | undefined;
  let found: Item[] = [];
  const reader = new CsvReader(
    { readsSeparatorLine: true, maxColumns: 1000, maxRecordChars: 10_000_000 },
    ({ blank, cells }, line) => {
      if (columns === undefined) columns = cells.map((cell) => columnOf(cell, path));
      else if (!blank) found.push(rowItem(columns, cells, `${path}, line ${line}`));
    },
  );
  const take = function* (step: () => unknown): Generator<Item> {
    try {
      step();
    } catch (error) {
      throw error instanceof RecordsRefused ? invalid(`${path}: ${error.message}`) : error;
    }
    const items = found;
    found = [];
    yield* items;
  };
  for await (const chunk of createReadStream(path)) yield* take(() => reader.push(chunk as Buffer));
  yield* take(() => reader.end());
}

type ColumnType = 'text' | 'number' | 'boolean' | 'json';
interface Column {
  readonly name: string;
  readonly type: ColumnType;
}

function columnOf(header: string, path: string): Column {
  const [, name = '', type = 'text'] = /^(.*?)(?::(text|number|boolean|json))?$/s.exec(header.trim()) ?? [];
  if (name === '') throw invalid(`${path}: line 1 has a column without a name.`);
  return { name, type: type as ColumnType };
}

function rowItem(columns: readonly Column[], cells: readonly string[], place: string): Item {
  if (cells.length > columns.length)
    throw invalid(`${place} has ${cells.length} cells for ${columns.length} columns.`);
  const members = columns.flatMap(({ name, type }, index) => {
    const cell = cells[index] ?? '';
    return cell === '' ? [] : [[name, readCell(cell, type, `${place}, column ${name}`)] as const];
  });
  return Object.fromEntries(members);
}

function readCell(cell: string, type: ColumnType, place: string): unknown {
  if (type === 'text') return cell;
  if (type === 'json') return parse(cell, place);
  if (type === 'boolean') {
    if (cell === 'true' || cell === 'false') return cell === 'true';
    throw invalid(`${place} must be true or false.`);
  }
  if (!/^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(cell)) throw invalid(`${place} is not a number.`);
  return exact(cell, place);
}

function exact(text: string, place: string): number {
  if (isInexactInteger(text))
    throw invalid(`${place}: ${text} has too many digits for a number; write it as a text.`);
  return Number(text);
}

type Reviver = (name: string, value: unknown, context: { readonly source?: string }) => unknown;

/** Parses JSON. An integer that would lose digits is refused, not rounded. */
function parse(text: string, place: string): unknown {
  const revive: Reviver = (_, value, { source = '' }) =>
    typeof value === 'number' ? exact(source, place) : value;
  try {
    return JSON.parse(text, revive as (name: string, value: unknown) => unknown);
  } catch (error) {
    throw error instanceof CommandFailed ? error : invalid(`${place} is not valid JSON.`);
  }
}

function itemOf(value: unknown): Item {
  if (!isObject(value)) throw invalid('Every item must be a JSON object.');
  return value;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const invalid = (message: string) => new CommandFailed('INVALID_ITEMS', message);
