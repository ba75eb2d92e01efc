import type { PdfDict } from '@libpdf/core';
import { isArray, isDict, nameOf, type SourceDocument } from '#fill/prepare/load-source.ts';
import { acroForm, type SourceField, textOf } from '../read-fields.ts';
import type { FieldFormat } from './field-format.ts';
import { lostScripts } from './lost-scripts.ts';
import type { SeparatorStyle } from './number-style.ts';
import { type Calculate, type FieldScripts, type Operation, readScripts } from './read-scripts.ts';

/** The data for calculating fields like the form's own scripts. JSON; part of the prepared base. */
export interface FormScripts {
  /** In the order of calculation: a field follows the fields that it depends on. */
  readonly calculations: readonly Calculation[];
  /** The source's values of the fields that a calculation uses. */
  readonly stored: Readonly<Record<string, string>>;
  /** The lost effect of an unsupported script, by the mapped field that has the script or is its input. */
  readonly lost: Readonly<Record<string, string>>;
}

export interface Calculation {
  readonly field: string;
  readonly operation: Operation;
  readonly inputs: readonly CalculationInput[];
  /** The first mapped field among its inputs; notes name the mapping of that field. */
  readonly owner: string;
}

export interface CalculationInput {
  readonly field: string;
  readonly style: SeparatorStyle;
}

export interface ScriptPlan {
  readonly state: FormScripts;
  /** Fields that no mapping fills and that are calculated in each row. */
  readonly computed: ReadonlySet<string>;
  formatOf(name: string): FieldFormat | null;
}

export function planScripts(
  source: SourceDocument,
  fields: readonly SourceField[],
  mapped: ReadonlySet<string>,
): ScriptPlan {
  const scripts = new Map<string, FieldScripts>();
  for (const field of fields) {
    const own = asFilled(field, readScripts(source, field));
    if (own.calculate !== null || own.format !== null) scripts.set(field.name, own);
  }
  const formatOf = (name: string): FieldFormat | null => {
    const format = scripts.get(name)?.format ?? null;
    return format === null || format.kind === 'unknown' ? null : format;
  };
  const graph = new CalculationGraph(calculable(source, fields, scripts), fields, mapped);
  const calculations = graph.order().map(
    ({ field, calculate, inputs, owner }): Calculation => ({
      field,
      operation: calculate.operation,
      inputs: inputs.map((input) => ({ field: input, style: styleOf(formatOf(input)) })),
      owner,
    }),
  );
  const feeding = new Set(calculations.flatMap(({ inputs }) => inputs.map(({ field }) => field)));
  const stored = fields
    .filter(({ name }) => feeding.has(name))
    .map((field) => [field.name, storedValue(source, field)]);
  return {
    state: {
      calculations,
      stored: Object.fromEntries(stored),
      lost: lostScripts(scripts, mapped, calculations),
    },
    computed: new Set(calculations.map(({ field }) => field)),
    formatOf,
  };
}

/** Only text fields are calculated, because the display of other fields is not known here. */
function asFilled({ type }: SourceField, own: FieldScripts): FieldScripts {
  if (type === 'text' || own.calculate?.kind !== 'calculate') return own;
  return { ...own, calculate: { kind: 'unknown', script: JSON.stringify(own.calculate.inputs) } };
}

const styleOf = (format: FieldFormat | null): SeparatorStyle =>
  format?.kind === 'number' || format?.kind === 'percent' ? format.style : 0;

/** Returns text fields with a supported calculation, in the form's own order (/CO), then those that it does not list. */
function calculable(
  source: SourceDocument,
  fields: readonly SourceField[],
  scripts: ReadonlyMap<string, FieldScripts>,
): ReadonlyMap<string, Calculate> {
  const names = new Map<PdfDict, string>();
  for (const { name, holders, widgets } of fields) {
    for (const dict of [
      ...holders.map((ref) => source.resolve(ref)),
      ...widgets.map((widget) => widget.dict),
    ]) {
      if (isDict(dict)) names.set(dict, name);
    }
  }
  const order = source.resolve(acroForm(source)?.get('CO'));
  const listed = (isArray(order) ? [...order] : []).map((ref) => {
    const dict = source.resolve(ref);
    return isDict(dict) ? names.get(dict) : undefined;
  });
  const texts = new Set(fields.filter(({ type }) => type === 'text').map(({ name }) => name));
  const known = new Map<string, Calculate>();
  for (const name of [...listed, ...scripts.keys()]) {
    const calculate = name === undefined ? undefined : scripts.get(name)?.calculate;
    if (name !== undefined && texts.has(name) && calculate?.kind === 'calculate') known.set(name, calculate);
  }
  return known;
}

interface OrderedCalculation {
  readonly field: string;
  readonly calculate: Calculate;
  readonly inputs: readonly string[];
  readonly owner: string;
}

/** Finds the unmapped fields that depend on mapped ones, and their order of calculation. */
class CalculationGraph {
  readonly #known: ReadonlyMap<string, Calculate>;
  readonly #mapped: ReadonlySet<string>;
  /** Returns the fields that a name in a script refers to: the field itself, or all fields below a shared name part. */
  readonly #meant = new Map<string, string[]>();
  readonly #ordered = new Map<string, OrderedCalculation | null>();

  constructor(
    known: ReadonlyMap<string, Calculate>,
    fields: readonly SourceField[],
    mapped: ReadonlySet<string>,
  ) {
    this.#known = known;
    this.#mapped = mapped;
    if (known.size === 0) return;
    for (const { name } of fields) {
      for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1))
        this.#means(name.slice(0, dot), name);
      this.#means(name, name);
    }
  }

  #means(written: string, name: string): void {
    const meant = this.#meant.get(written);
    if (meant === undefined) this.#meant.set(written, [name]);
    else meant.push(name);
  }

  order(): OrderedCalculation[] {
    const done: OrderedCalculation[] = [];
    for (const field of this.#known.keys()) this.#visit(field, done);
    return done;
  }

  /** In a cycle of calculations, the field that closes the cycle is read with its current value. */
  #visit(field: string, done: OrderedCalculation[]): OrderedCalculation | null {
    const known = this.#ordered.get(field);
    if (known !== undefined) return known;
    const calculate = this.#known.get(field);
    if (calculate === undefined || this.#mapped.has(field)) return null;
    this.#ordered.set(field, null);
    const inputs = calculate.inputs.flatMap((written) => this.#meant.get(written) ?? []);
    let owner: string | undefined;
    for (const input of inputs) {
      const before = this.#visit(input, done);
      owner ??= this.#mapped.has(input) ? input : before?.owner;
    }
    if (owner === undefined) return null;
    const ordered = { field, calculate, inputs, owner };
    this.#ordered.set(field, ordered);
    done.push(ordered);
    return ordered;
  }
}

/** Returns the source value of a field as a script reads it: for a button the export value, or blank if it is off. */
function storedValue(source: SourceDocument, field: SourceField): string {
  const holder = source.resolve(field.holders[0]);
  const value = source.resolve(isDict(holder) ? holder.get('V') : null);
  const state = nameOf(value);
  if (state === null) return textOf(value) ?? '';
  const widget = field.widgets.find(({ onState }) => onState === state);
  return widget?.option == null ? '' : (field.options[widget.option]?.value ?? '');
}
