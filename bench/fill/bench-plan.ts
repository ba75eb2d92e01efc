import type { FillPlan } from '../../src/fill/fill-plan.ts';
import { layoutSchema } from '../../src/fill/package/layout-schema.ts';
import { LAYOUT, rowCells } from './make-sources.ts';

/** The plan of every run of this benchmark. */
export const plan: FillPlan = {
  layout: layoutSchema.parse(LAYOUT),
  assets: new Map(),
  options: { includeStickers: false, flattenForms: false, filenameColumns: [] },
};

export const cellsOf = (row: number) =>
  new Map(rowCells(row).map((cell, index) => [`column_${index}`, cell]));
