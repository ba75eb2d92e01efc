import { findPreset } from '#fill/sheet/presets.ts';
import { MAX_CELLS, MAX_POINTS, readSheet, SheetInvalid } from '#fill/sheet/read-sheet.ts';
import { placeOf, type Sheet, type SheetGeometry, type SheetOrder, TOLERANCE } from '#fill/sheet/sheet.ts';
import { formatLength, parseLength, type Unit } from '../geometry/units.ts';

/** The labels of a run as they were chosen and typed, stored with the draft. */
export interface SheetChoice {
  /** Name of a preset; null uses the own sizes. */
  readonly preset: string | null;
  readonly own: OwnSizes;
  /** Free labels on the first sheet, as typed. */
  readonly skip: string;
  readonly order: SheetOrder;
  readonly marks: boolean;
}

/** The sizes of a sheet as typed. A length without a unit is in `unit`. */
export type OwnSizes = { readonly unit: Unit } & Readonly<Record<keyof SheetGeometry, string>>;

export type SheetField = keyof SheetGeometry | 'preset' | 'skip';

/** The sheet to send, or why there is none. `drawn` is a sheet that can be drawn, even if its labels do not fit. */
export type SheetReading =
  | { readonly sheet: Sheet; readonly problem: null; readonly drawn: Sheet }
  | { readonly sheet: null; readonly problem: SheetProblem; readonly drawn: Sheet | null };

export interface SheetProblem {
  /** The inputs that cause it. */
  readonly fields: readonly SheetField[];
  readonly message: string;
}

export const LENGTHS = [
  'width',
  'height',
  'label_width',
  'label_height',
  'margin_left',
  'margin_top',
  'pitch_x',
  'pitch_y',
] as const;
export const COUNTS = ['columns', 'rows'] as const;

/** What the inputs are called. */
export const SIZE_NAMES: Readonly<Record<keyof SheetGeometry, string>> = {
  width: 'Sheet width',
  height: 'Sheet height',
  columns: 'Columns',
  rows: 'Rows',
  label_width: 'Label width',
  label_height: 'Label height',
  margin_left: 'Left margin',
  margin_top: 'Top margin',
  pitch_x: 'Column pitch',
  pitch_y: 'Row pitch',
};

/** 24 labels on A4. */
const FIRST_PRESET = 'avery-l7159';

export function ownSizes(geometry: SheetGeometry, unit: Unit): OwnSizes {
  const lengths = LENGTHS.map((name) => [name, formatLength(geometry[name], unit)]);
  const counts = COUNTS.map((name) => [name, String(geometry[name])]);
  return { unit, ...Object.fromEntries([...lengths, ...counts]) } as OwnSizes;
}

/** The geometry of a preset. A stored name may be one that a later version no longer has. */
const geometryOf = (preset: string | null) => (preset === null ? undefined : findPreset(preset)?.geometry);

export function firstSheet(): SheetChoice {
  const geometry = geometryOf(FIRST_PRESET);
  if (geometry === undefined) throw new Error(`bug: ${FIRST_PRESET} is not a preset`);
  return { preset: FIRST_PRESET, own: ownSizes(geometry, 'mm'), skip: '0', order: 'across', marks: false };
}

/** Switches to own sizes. They start as those of the preset, so that small differences can be corrected. */
export function withOwnSizes(choice: SheetChoice): SheetChoice {
  const geometry = geometryOf(choice.preset);
  return {
    ...choice,
    preset: null,
    own: geometry === undefined ? choice.own : ownSizes(geometry, choice.own.unit),
  };
}

/** Shows the same sizes in another unit. Texts that are not lengths stay as typed. */
export function inUnit(own: OwnSizes, unit: Unit): OwnSizes {
  const lengths = LENGTHS.map((name) => {
    const points = parseLength(own[name], own.unit);
    return [name, points === undefined ? own[name] : formatLength(points, unit)];
  });
  return { ...own, ...Object.fromEntries(lengths), unit };
}

/** Reads a choice as the server will. The messages use the unit of the inputs. */
export function readSheetChoice(choice: SheetChoice): SheetReading {
  const { order, marks } = choice;
  const read = choice.preset === null ? readOwn(choice.own) : readPreset(choice.preset);
  if (read.problem !== null) {
    const drawn = read.geometry === null ? null : { ...read.geometry, skip: 0, order, marks };
    return { sheet: null, problem: read.problem, drawn };
  }
  const cells = read.geometry.columns * read.geometry.rows;
  const skip = readCount(choice.skip);
  const drawn = { ...read.geometry, skip: 0, order, marks };
  if (skip === undefined || skip >= cells) {
    const most =
      cells === 1 ? 'The sheet has one label, so type 0.' : `Type a number from 0 to ${cells - 1}.`;
    return { sheet: null, problem: { fields: ['skip'], message: `Labels to skip: ${most}` }, drawn };
  }
  return accepted({ ...drawn, skip });
}

/** The server's own check has the last word. */
function accepted(sheet: Sheet): SheetReading {
  try {
    return { sheet: readSheet(sheet), problem: null, drawn: sheet };
  } catch (error) {
    if (!(error instanceof SheetInvalid)) throw error;
    return { sheet: null, problem: { fields: [], message: error.message }, drawn: null };
  }
}

type Geometry =
  | { readonly geometry: SheetGeometry; readonly problem: null }
  | { readonly geometry: SheetGeometry | null; readonly problem: SheetProblem };

function readPreset(name: string): Geometry {
  const geometry = geometryOf(name);
  if (geometry !== undefined) return { geometry, problem: null };
  return {
    geometry: null,
    problem: { fields: ['preset'], message: `There is no sheet “${name}”. Choose one from the list.` },
  };
}

function readOwn(own: OwnSizes): Geometry {
  const wrong = (field: SheetField, message: string): Geometry => ({
    geometry: null,
    problem: { fields: [field], message },
  });
  const sizes: Partial<Record<keyof SheetGeometry, number>> = {};
  for (const name of COUNTS) {
    const count = readCount(own[name]);
    if (count === undefined || count < 1 || count > MAX_CELLS)
      return wrong(name, `${SIZE_NAMES[name]}: type a whole number from 1 to ${MAX_CELLS}.`);
    sizes[name] = count;
  }
  for (const name of LENGTHS) {
    const points = parseLength(own[name], own.unit);
    if (points === undefined)
      return wrong(name, `${SIZE_NAMES[name]}: type a length such as 63.5 or 2.5 in.`);
    const least = name.startsWith('margin') ? 0 : 1;
    if (points < least || points > MAX_POINTS)
      return wrong(
        name,
        `${SIZE_NAMES[name]}: type a length from ${shown(least, own.unit)} to ${shown(MAX_POINTS, own.unit)}.`,
      );
    sizes[name] = points;
  }
  const geometry = sizes as SheetGeometry;
  const problem = misfit(geometry, own.unit);
  if (problem === null) return { geometry, problem };
  return { geometry: geometry.columns * geometry.rows > MAX_CELLS ? null : geometry, problem };
}

function misfit(geometry: SheetGeometry, unit: Unit): SheetProblem | null {
  const { width, height, columns, rows, margin_left, margin_top } = geometry;
  const { label_width, label_height, pitch_x, pitch_y } = geometry;
  const length = (points: number) => shown(points, unit);
  if (columns * rows > MAX_CELLS)
    return {
      fields: ['columns', 'rows'],
      message: `${columns} × ${rows} labels are more than ${MAX_CELLS.toLocaleString('en')} on a sheet.`,
    };
  if (label_width > pitch_x + TOLERANCE)
    return {
      fields: ['label_width', 'pitch_x'],
      message: `The labels overlap: each is ${length(label_width)} wide, but the next begins after ${length(pitch_x)}.`,
    };
  if (label_height > pitch_y + TOLERANCE)
    return {
      fields: ['label_height', 'pitch_y'],
      message: `The labels overlap: each is ${length(label_height)} high, but the next begins after ${length(pitch_y)}.`,
    };
  const right = margin_left + (columns - 1) * pitch_x + label_width;
  if (right > width + TOLERANCE)
    return {
      fields: ['width', 'columns', 'margin_left', 'pitch_x'],
      message: `The labels end at ${length(right)}, but the sheet is ${length(width)} wide.`,
    };
  const bottom = margin_top + (rows - 1) * pitch_y + label_height;
  if (bottom > height + TOLERANCE)
    return {
      fields: ['height', 'rows', 'margin_top', 'pitch_y'],
      message: `The labels end at ${length(bottom)}, but the sheet is ${length(height)} high.`,
    };
  return null;
}

const shown = (points: number, unit: Unit) =>
  `${Number(Number(formatLength(points, unit)).toFixed(2))} ${unit}`;

function readCount(text: string): number | undefined {
  const typed = text.trim();
  return /^\d{1,6}$/.test(typed) ? Number(typed) : undefined;
}

/** Sheets that this many rows need if none of them fails. */
export const sheetCount = (sheet: Sheet, rows: number): number =>
  rows === 0 ? 0 : placeOf(sheet, rows - 1).page + 1;
