import { findPreset } from './presets.ts';
import { SHEET_ORDERS, type Sheet, type SheetGeometry, TOLERANCE } from './sheet.ts';

/** The side of a page is at most 14,400 points (ISO 32000-1, annex C). */
export const MAX_POINTS = 14_400;
export const MAX_CELLS = 1000;

/** A value that is not a sheet. The message begins with the name of the member. */
export class SheetInvalid extends Error {}

type Members = Readonly<Record<string, unknown>>;

const choices = ['skip', 'order', 'marks'];
const required = [
  ...['width', 'height', 'columns', 'rows'],
  ...['margin_left', 'margin_top', 'pitch_x', 'pitch_y'],
];
const optional = ['label_width', 'label_height'];

/** Reads `{ "preset" }` or a geometry, and fills in the defaults. Throws `SheetInvalid`. */
export function readSheet(value: unknown): Sheet {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new SheetInvalid(`sheet must be a JSON object, but is ${shown(value)}.`);
  const members = value as Members;
  const { preset } = members;
  const known = preset === undefined ? [...required, ...optional] : ['preset'];
  for (const name of Object.keys(members))
    if (!known.includes(name) && !choices.includes(name))
      throw new SheetInvalid(
        `sheet.${name.slice(0, 100)} ${preset === undefined ? 'is unknown' : 'is not allowed with sheet.preset'}.`,
      );
  const geometry = preset === undefined ? readGeometry(members) : presetOf(preset);
  return { ...geometry, ...readChoices(members, geometry.columns * geometry.rows) };
}

/** Reads a sheet as JSON, or as the name of a preset alone. */
export function parseSheet(text: string): Sheet {
  if (/^\s*[\w-]+\s*$/.test(text) && Number.isNaN(Number(text))) return readSheet({ preset: text.trim() });
  return readSheetJson(text);
}

export function readSheetJson(text: string): Sheet {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new SheetInvalid(`sheet must be a JSON object, but is ${shown(text)}.`);
  }
  return readSheet(value);
}

function presetOf(name: unknown): SheetGeometry {
  const preset = typeof name === 'string' ? findPreset(name) : undefined;
  if (preset === undefined)
    throw invalid('preset', 'a name that GET /v1/bulkfill/sheets lists, such as avery-l7160', name);
  return preset.geometry;
}

function readGeometry(members: Members): SheetGeometry {
  for (const name of required)
    if (members[name] === undefined) throw new SheetInvalid(`sheet.${name} is missing.`);
  const points = (name: string, least: number) => {
    const value = members[name];
    if (typeof value === 'number' && value >= least && value <= MAX_POINTS) return value;
    throw invalid(name, `a number of points from ${least} to ${MAX_POINTS}`, value);
  };
  const count = (name: string) => {
    const value = members[name];
    if (Number.isInteger(value) && (value as number) >= 1 && (value as number) <= MAX_CELLS)
      return value as number;
    throw invalid(name, `an integer from 1 to ${MAX_CELLS}`, value);
  };
  const width = points('width', 1);
  const height = points('height', 1);
  const columns = count('columns');
  const rows = count('rows');
  if (columns * rows > MAX_CELLS)
    throw new SheetInvalid(
      `sheet.rows must make at most ${MAX_CELLS} cells with sheet.columns; received ${columns * rows} cells.`,
    );
  const margin_left = points('margin_left', 0);
  const margin_top = points('margin_top', 0);
  const pitch_x = points('pitch_x', 1);
  const pitch_y = points('pitch_y', 1);
  const label = (name: string, pitch: number, pitchName: string) => {
    if (members[name] === undefined) return pitch;
    const size = points(name, 1);
    if (size > pitch + TOLERANCE)
      throw new SheetInvalid(`sheet.${name} must be at most sheet.${pitchName} (${pitch}), but is ${size}.`);
    return size;
  };
  const label_width = label('label_width', pitch_x, 'pitch_x');
  const label_height = label('label_height', pitch_y, 'pitch_y');
  fits('width', width, margin_left + (columns - 1) * pitch_x + label_width);
  fits('height', height, margin_top + (rows - 1) * pitch_y + label_height);
  return {
    ...{ width, height, columns, rows, margin_left, margin_top },
    ...{ pitch_x, pitch_y, label_width, label_height },
  };
}

function fits(name: string, size: number, end: number): void {
  if (end > size + TOLERANCE)
    throw new SheetInvalid(
      `sheet.${name} is ${size} points, but the labels end at ${Math.round(end * 1000) / 1000} points.`,
    );
}

function readChoices(members: Members, cells: number): Pick<Sheet, 'skip' | 'order' | 'marks'> {
  const { skip = 0, order = 'across', marks = false } = members;
  if (!Number.isInteger(skip) || (skip as number) < 0 || (skip as number) >= cells)
    throw invalid('skip', `an integer from 0 to ${cells - 1}`, skip);
  const known = SHEET_ORDERS.find((name) => name === order);
  if (known === undefined) throw invalid('order', 'across or down', order);
  if (typeof marks !== 'boolean') throw invalid('marks', 'true or false', marks);
  return { skip: skip as number, order: known, marks };
}

const shown = (value: unknown) => (JSON.stringify(value) ?? 'undefined').slice(0, 100);
const invalid = (name: string, expected: string, came: unknown) =>
  new SheetInvalid(`sheet.${name} must be ${expected}, but is ${shown(came)}.`);
