import type { PdfDict, PdfObject } from '@libpdf/core';
import { isDict, isStream, nameOf, type SourceDocument } from '#fill/prepare/load-source.ts';
import { type SourceField, textOf } from '../read-fields.ts';
import { type FieldFormat, readFormat } from './field-format.ts';
import { type LiteralCall, readLiteralCall } from './literal-call.ts';

/**
 * The calculate and format actions of a field (/AA /C and /F, ISO 32000-2 §12.6.3) that are calls of Acrobat's built-in
 * functions with literal arguments. The output contains no script (FILL44), so the engine applies their effects itself.
 */
export interface FieldScripts {
  readonly calculate: Calculate | UnknownScript | null;
  readonly format: FieldFormat | UnknownScript | null;
}

export interface Calculate {
  readonly kind: 'calculate';
  readonly operation: Operation;
  /** Names in the script: fields, or the part of a name before a dot that several fields share. */
  readonly inputs: readonly string[];
}

export interface UnknownScript {
  readonly kind: 'unknown';
  readonly script: string;
}

const OPERATIONS = ['SUM', 'AVG', 'PRD', 'MIN', 'MAX'] as const;
export type Operation = (typeof OPERATIONS)[number];

export function readScripts(source: SourceDocument, field: SourceField): FieldScripts {
  const dicts = [
    ...field.holders.map((holder) => source.resolve(holder)),
    ...field.widgets.map(({ dict }) => dict),
  ].filter(isDict);
  const calculate = scriptOf(source, dicts, 'C');
  const format = scriptOf(source, dicts, 'F');
  return {
    calculate: calculate === null ? null : understood(calculate, readCalculate),
    format: format === null ? null : understood(format, readFormat),
  };
}

function understood<Known>(script: string, read: (call: LiteralCall) => Known | null): Known | UnknownScript {
  const call = readLiteralCall(script);
  return (call === null ? null : read(call)) ?? { kind: 'unknown', script };
}

function readCalculate({ name, args: [operation, fields] }: LiteralCall): Calculate | null {
  const known = OPERATIONS.find((one) => one === operation);
  if (name !== 'AFSimple_Calculate' || known === undefined) return null;
  const inputs = typeof fields === 'string' ? fields.split(',') : Array.isArray(fields) ? fields : null;
  if (inputs === null) return null;
  return {
    kind: 'calculate',
    operation: known,
    inputs: inputs.map((input: string) => input.trim()).filter((input) => input !== ''),
  };
}

/** Returns null if there is no such action, or if its script is blank. */
function scriptOf(source: SourceDocument, dicts: readonly PdfDict[], key: string): string | null {
  for (const dict of dicts) {
    const actions = source.resolve(dict.get('AA'));
    const action = isDict(actions) ? source.resolve(actions.get(key)) : null;
    if (!isDict(action) || nameOf(source.resolve(action.get('S'))) !== 'JavaScript') continue;
    const script = scriptText(source.resolve(action.get('JS')))?.trim() ?? '';
    if (script !== '') return script;
  }
  return null;
}

const MAX_SCRIPT_BYTES = 1 << 20;

function scriptText(object: PdfObject | null): string | null {
  if (!isStream(object)) return textOf(object);
  try {
    return new TextDecoder('latin1').decode(object.getDecodedData().subarray(0, MAX_SCRIPT_BYTES));
  } catch {
    return 'a script that cannot be read';
  }
}
