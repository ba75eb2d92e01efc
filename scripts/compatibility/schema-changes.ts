/** A JSON Schema of the document, as far as it is compared. */
export interface Schema {
  readonly [keyword: string]: unknown;
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: boolean | Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

/** One of the two documents. References are followed in the document that contains them. */
export interface Side {
  readonly schema: Schema;
  readonly follow: (schema: Schema) => Schema;
}

export interface Comparison {
  readonly before: Side;
  readonly after: Side;
  /** `request`: clients send it, so the new schema must accept the old one. `response`: clients receive it, so it is the other way round. */
  readonly use: 'request' | 'response';
  /** Errors may get new codes in a minor release (VERSIONING.md). */
  readonly allowsNewValues?: boolean;
}

/** Returns what an old client would not survive, as `path: change`. */
export function schemaChanges(comparison: Comparison, path = ''): string[] {
  return compare(comparison, path, new Set());
}

function compare(comparison: Comparison, path: string, seen: ReadonlySet<string>): string[] {
  const before = comparison.before.follow(comparison.before.schema);
  const after = comparison.after.follow(comparison.after.schema);
  const pair = `${comparison.before.schema.$ref} ${comparison.after.schema.$ref}`;
  // A type that contains itself is compared once.
  if (comparison.before.schema.$ref !== undefined && seen.has(pair)) return [];
  const known = new Set([...seen, pair]);
  const [accepting, produced] = comparison.use === 'request' ? [after, before] : [before, after];
  const at = (change: string) => `${path === '' ? 'body' : path}: ${change}`;
  const next = (from: Schema, to: Schema): Comparison => ({
    ...comparison,
    before: { ...comparison.before, schema: from },
    after: { ...comparison.after, schema: to },
  });
  return [
    ...typeChanges(accepting, produced, comparison).map(at),
    ...limitChanges(accepting, produced).map(at),
    ...memberChanges(before, after, accepting, produced, comparison.use).map(at),
    ...shared(before.properties, after.properties).flatMap(([name, from, to]) =>
      compare(next(from, to), path === '' ? name : `${path}.${name}`, known),
    ),
    ...(before.items && after.items ? compare(next(before.items, after.items), `${path}[]`, known) : []),
    ...(isSchema(before.additionalProperties) && isSchema(after.additionalProperties)
      ? compare(next(before.additionalProperties, after.additionalProperties), `${path}.*`, known)
      : []),
    ...alternativeChanges(before, after, comparison, next, known).map(at),
  ];
}

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null;

function shared(
  before: Readonly<Record<string, Schema>> = {},
  after: Readonly<Record<string, Schema>> = {},
): [name: string, before: Schema, after: Schema][] {
  return Object.entries(before).flatMap(([name, from]) => {
    const to = after[name];
    return to === undefined ? [] : [[name, from, to]];
  });
}

const typesOf = ({ type }: Schema) => (type === undefined ? undefined : [type].flat());
const valuesOf = (schema: Schema) => ('const' in schema ? [schema.const] : schema.enum);

function typeChanges(accepting: Schema, produced: Schema, { use, allowsNewValues }: Comparison): string[] {
  const changes: string[] = [];
  const accepted = typesOf(accepting);
  const types = typesOf(produced);
  const covers = (type: string) =>
    accepted?.includes(type) || (type === 'integer' && accepted?.includes('number'));
  if (accepted !== undefined && !(types ?? ['any']).every(covers))
    changes.push(
      use === 'request'
        ? `type ${(types ?? ['any']).join(' or ')} is no longer accepted`
        : `type can be ${(types ?? ['any']).join(' or ')}`,
    );
  const allowed = valuesOf(accepting);
  const values = valuesOf(produced);
  if (allowed === undefined || (use === 'response' && allowsNewValues === true)) return changes;
  const others = (values ?? ['any other value']).filter(
    (value) => !allowed.some((each) => JSON.stringify(each) === JSON.stringify(value)),
  );
  const listed = others.map((value) => JSON.stringify(value)).join(', ');
  if (others.length > 0)
    changes.push(use === 'request' ? `${listed} is no longer accepted` : `${listed} is a new value`);
  return changes;
}

const LOWER = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'];
const UPPER = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'];

function limitChanges(accepting: Schema, produced: Schema): string[] {
  const isTighter = (keyword: string, sign: 1 | -1) => {
    const limit = accepting[keyword] as number | undefined;
    const other = (produced[keyword] as number | undefined) ?? -sign * Number.POSITIVE_INFINITY;
    return limit !== undefined && sign * limit > sign * other;
  };
  const tighter = [
    ...LOWER.filter((keyword) => isTighter(keyword, 1)),
    ...UPPER.filter((keyword) => isTighter(keyword, -1)),
    ...['pattern', 'format'].filter(
      (keyword) => accepting[keyword] !== undefined && accepting[keyword] !== produced[keyword],
    ),
  ];
  return tighter.map((keyword) => `${keyword} changed`);
}

function memberChanges(
  before: Schema,
  after: Schema,
  accepting: Schema,
  produced: Schema,
  use: Comparison['use'],
): string[] {
  const removed = Object.keys(before.properties ?? {}).filter(
    (name) => before.properties !== undefined && after.properties?.[name] === undefined,
  );
  const always = new Set(produced.required ?? []);
  const missing = (accepting.required ?? []).filter((name) => !always.has(name) && !removed.includes(name));
  const closes = accepting.additionalProperties === false && produced.additionalProperties !== false;
  return [
    ...removed.map((name) => `${name} was removed`),
    ...missing.map((name) => (use === 'request' ? `${name} is required` : `${name} can be absent`)),
    ...(closes && use === 'request' ? ['unknown members are rejected'] : []),
  ];
}

/** Every old alternative must be accepted by a new one (requests); every new one must be known to old clients (responses). */
function alternativeChanges(
  before: Schema,
  after: Schema,
  { use }: Comparison,
  next: (from: Schema, to: Schema) => Comparison,
  seen: ReadonlySet<string>,
): string[] {
  const olds = before.anyOf ?? before.oneOf;
  const news = after.anyOf ?? after.oneOf;
  if (olds === undefined && news === undefined) return [];
  if (use === 'request' ? news === undefined : olds === undefined)
    return use === 'request' ? [] : ['has alternatives now'];
  const [accepting, produced] = use === 'request' ? [news, olds ?? [before]] : [olds, news ?? [after]];
  const unknown = produced.filter(
    (each) =>
      !accepting?.some(
        (other) => compare(use === 'request' ? next(each, other) : next(other, each), '', seen).length === 0,
      ),
  );
  return unknown.length === 0
    ? []
    : [use === 'request' ? 'an alternative is no longer accepted' : 'there is a new alternative'];
}
