import { gunzipSync, gzipSync } from 'node:zlib';
import type { Layout } from '#fill/package/layout-schema.ts';
import type { RowRecord } from '#fill/row-filler.ts';
import { columnsOfValue } from '#fill/values/columns-used.ts';
import { valuesOf } from '#fill/values/values-of.ts';

/** One problem of one row; a row may have several. It never contains a cell's value. */
export interface RowProblem {
  readonly row_number: number;
  /** If rows were grouped: the row of the input at which the problem is, or the first row of its group. */
  readonly input_row_number?: number;
  /** `noted`: the row succeeded with a note, such as clipped text. */
  readonly status: 'failed' | 'partial' | 'noted';
  readonly code: string;
  readonly message: string;
  /** The overlay or form mapping at fault; null if the whole row failed. */
  readonly overlay_id: string | null;
  /** The native form field that the mapping fills. */
  readonly field: string | null;
  /** The column that feeds it; null if none or several do. */
  readonly column: string | null;
  readonly column_label: string | null;
}

/** Maximum number of problems stored per job, in row order. */
export const MAX_KEPT_PROBLEMS = 10_000;

/** Turns the records of a slice into its problems, with names from the layout. */
export function rowProblems(records: readonly RowRecord[], layout: Layout): RowProblem[] {
  let places: Map<string, Place> | undefined;
  const placeOf = (id: string) => {
    places ??= placesIn(layout);
    return places.get(id) ?? NOWHERE;
  };
  const problems: RowProblem[] = [];
  for (const { result, errorColumn } of records) {
    const { row_number, row_numbers, error, warnings } = result;
    if (error === null && warnings.length === 0) continue;
    const status = result.status === 'success' ? 'noted' : result.status;
    const first = row_numbers?.[0];
    const add = (
      code: string,
      message: string,
      overlay_id: string | null,
      place: Place,
      input_row_number = first,
    ) => {
      if (problems.length === MAX_KEPT_PROBLEMS) return;
      const where = { row_number, ...(input_row_number !== undefined && { input_row_number }) };
      problems.push({ ...where, status, code, message, overlay_id, ...place });
    };
    if (error !== null) add(error.code, error.message, null, placeOfColumn(layout, errorColumn));
    for (const { code, message, overlay_id, input_row_number } of warnings)
      add(code, message, overlay_id, placeOf(overlay_id), input_row_number);
  }
  return problems;
}

type Place = Pick<RowProblem, 'field' | 'column' | 'column_label'>;
const NOWHERE: Place = { field: null, column: null, column_label: null };

function placesIn(layout: Layout): Map<string, Place> {
  const places = new Map<string, Place>();
  for (const part of [...layout.overlays, ...layout.form_fields]) {
    const columns = new Set(valuesOf(part).flatMap(({ value }) => columnsOfValue(value)));
    const [column] = columns.size === 1 ? columns : [];
    const field = 'field' in part ? part.field : null;
    places.set(part.id, { ...placeOfColumn(layout, column), field });
  }
  return places;
}

function placeOfColumn(layout: Layout, column: string | undefined): Place {
  if (column === undefined) return NOWHERE;
  const label = layout.columns.find(({ key }) => key === column)?.label;
  return { field: null, column, column_label: label || null };
}

export const encodeProblems = (problems: readonly RowProblem[]): Uint8Array =>
  gzipSync(JSON.stringify(problems));

export const decodeProblems = (bytes: Uint8Array): RowProblem[] => JSON.parse(gunzipSync(bytes).toString());
