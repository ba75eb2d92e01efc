import { follow, type OpenapiDocument, type Schema } from './openapi-model.ts';
import { escapeHtml } from './site-page.ts';

const MAX_DEPTH = 7;
/** Longer lists of values are folded. */
const SHOWN_VALUES = 8;

/** Renders the members of a schema as nested lists. */
export class SchemaHtml {
  readonly #document: OpenapiDocument;

  constructor(document: OpenapiDocument) {
    this.#document = document;
  }

  /** The members of an object, or what an array or a choice contains. Empty if the type says everything. */
  members(schema: Schema, refs: readonly string[] = [], depth = 0): string {
    if (schema.$ref !== undefined && refs.includes(schema.$ref)) return '';
    if (depth > MAX_DEPTH) return '';
    const inside = schema.$ref === undefined ? refs : [...refs, schema.$ref];
    const found = this.#merged(schema);
    const choices = found.oneOf ?? found.anyOf;
    if (choices !== undefined) {
      const real = choices.filter((choice) => follow(this.#document, choice).type !== 'null');
      if (real.length === 1 && real[0] !== undefined) return this.members(real[0], inside, depth);
      return real.map((choice) => this.#choice(choice, inside, depth)).join('');
    }
    if (found.items !== undefined) return this.members(found.items, inside, depth + 1);
    const { properties = {}, required = [], additionalProperties } = found;
    const rows = Object.entries(properties).map(([name, member]) =>
      this.#member(name, member, required.includes(name), inside, depth),
    );
    if (typeof additionalProperties === 'object' && Object.keys(additionalProperties).length > 0)
      rows.push(this.#member('any name', additionalProperties, false, inside, depth));
    return rows.length === 0 ? '' : `<ul class="members">${rows.join('')}</ul>`;
  }

  /** The type in a few words: `string · uuid`, `array of integers`. */
  type(schema: Schema): string {
    const found = this.#merged(schema);
    const choices = found.oneOf ?? found.anyOf;
    if (choices !== undefined) {
      const names = choices.map((choice) => this.type(choice));
      return [...new Set(names)].join(' or ');
    }
    if (found.const !== undefined) return JSON.stringify(found.const);
    const types = [found.type ?? (found.properties ? 'object' : found.enum ? 'value' : 'any')].flat();
    const named = types.map((type) => {
      if (type === 'array') return `array of ${found.items === undefined ? 'any' : this.type(found.items)}`;
      if (type === 'string' && found.format === 'binary') return 'file';
      return type;
    });
    return named.join(' or ');
  }

  #choice(choice: Schema, refs: readonly string[], depth: number): string {
    const { title = nameOf(choice.$ref) } = follow(this.#document, choice);
    const inner = this.members(choice, refs, depth + 1);
    return `<div class="choice"><p class="note">${title === undefined ? 'One form' : escapeHtml(title)}: ${escapeHtml(this.type(choice))}</p>${inner}</div>`;
  }

  #member(name: string, schema: Schema, required: boolean, refs: readonly string[], depth: number): string {
    const found = this.#merged(schema);
    const inner = this.members(schema, refs, depth + 1);
    const text = found.description ?? this.#merged(found.items ?? {}).description;
    const parts = [
      `<p><code>${escapeHtml(name)}</code> <span class="type">${escapeHtml(this.type(schema))}</span>${required ? ' <span class="required">required</span>' : ''}</p>`,
      text === undefined ? '' : `<p class="about">${inlineCode(text)}</p>`,
      this.limits(schema),
      inner === ''
        ? ''
        : `<details><summary>Members of <code>${escapeHtml(name)}</code></summary>${inner}</details>`,
    ];
    return `<li>${parts.join('')}</li>`;
  }

  /** Allowed values, ranges and the default. */
  limits(schema: Schema): string {
    const found = this.#merged(schema);
    const item = found.items === undefined ? undefined : this.#merged(found.items);
    const notes: string[] = [];
    const values = (found.enum ?? item?.enum)?.filter((value) => value !== null);
    if (values !== undefined) {
      const shown = values.map((value) => `<code>${escapeHtml(String(value))}</code>`);
      const list = shown.slice(0, SHOWN_VALUES).join(', ');
      notes.push(
        shown.length <= SHOWN_VALUES
          ? `One of ${list}`
          : `<details><summary>One of ${shown.length} values</summary>${shown.join(', ')}</details>`,
      );
    }
    const { minimum, maximum, minLength, maxLength, minItems, maxItems, format, pattern } = found;
    if (minimum !== undefined || (maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER))
      notes.push(range(minimum, maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum, ''));
    if (minLength !== undefined || maxLength !== undefined)
      notes.push(range(minLength, maxLength, ' characters'));
    if (minItems !== undefined || maxItems !== undefined) notes.push(range(minItems, maxItems, ' items'));
    if (format !== undefined && format !== 'binary') notes.push(`Format ${escapeHtml(format)}`);
    else if (pattern !== undefined && pattern.length <= 60)
      notes.push(`Pattern <code>${escapeHtml(pattern)}</code>`);
    if (found.default !== undefined)
      notes.push(`Default <code>${escapeHtml(JSON.stringify(found.default))}</code>`);
    return notes.length === 0
      ? ''
      : `<div class="limits">${notes.map((note) => `<span>${note}</span>`).join('')}</div>`;
  }

  /** The schema that a reference names; the parts of `allOf` together. */
  #merged(schema: Schema): Schema {
    const base = follow(this.#document, schema);
    if (base.allOf === undefined) return base;
    const { allOf, ...rest } = base;
    const parts = [...allOf.map((part) => this.#merged(part)), rest];
    return Object.assign({}, ...parts, {
      properties: Object.assign({}, ...parts.map(({ properties }) => properties ?? {})),
      required: parts.flatMap(({ required }) => required ?? []),
    });
  }
}

const nameOf = (ref: string | undefined) => ref?.split('/').at(-1);

function range(low: number | undefined, high: number | undefined, unit: string): string {
  const shown = (value: number) => value.toLocaleString('en-US');
  if (low !== undefined && high !== undefined)
    return low === high ? `${shown(low)}${unit}` : `${shown(low)} to ${shown(high)}${unit}`;
  return low === undefined ? `At most ${shown(high ?? 0)}${unit}` : `At least ${shown(low)}${unit}`;
}

/** Text with code in backticks. */
export function inlineCode(text: string): string {
  return escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}
