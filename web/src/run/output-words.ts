import type { OutputKind } from '#fill/output-kind.ts';
import type { RunOptions } from '../core/runs/run-record.ts';
import { presetName } from '../core/runs/sheet-presets.ts';
import { unitOf } from './run-choices.ts';

export const OUTPUT_NAMES: Readonly<Record<OutputKind, string>> = {
  zip: 'One PDF per row',
  merged: 'One PDF of all rows',
  both: 'Both',
};

/** The names when a document has all rows of a group. */
export const GROUPED_OUTPUT_NAMES: typeof OUTPUT_NAMES = {
  zip: 'One PDF per group',
  merged: 'One PDF of all groups',
  both: 'Both',
};

/** The output of an earlier run in words; nothing for a plain ZIP. */
export function outputWords({
  output = 'zip',
  sheet,
  duplex,
  passwordColumn,
  groupBy = [],
}: RunOptions): readonly string[] {
  const words: string[] = [];
  if (groupBy.length > 0) words.push(`grouped by ${groupBy.map(({ name }) => name).join(', ')}`);
  const unit = unitOf({ groupBy: groupBy.map(({ key }) => key) });
  if (output === 'merged') words.push(`one PDF of all ${unit}s`);
  if (output === 'both') words.push(`one PDF of all ${unit}s and one per ${unit}`);
  if (sheet !== undefined)
    words.push(sheet.preset === null ? 'labels of own sizes' : `labels ${presetName(sheet.preset)}`);
  if (duplex) words.push('for both sides of the paper');
  if (passwordColumn !== undefined) words.push(`passwords from ${passwordColumn.name}`);
  return words;
}
