/** Removes what Zod adds to a JSON Schema without adding information, and writes a nullable type in its short form. */
export function tidySchema<T>(value: T): T {
  if (Array.isArray(value)) return value.map((each) => tidySchema(each)) as T;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, part]) => [key, isData(key) ? part : tidySchema(part)]);
  return shortNullable(withoutNoise(Object.fromEntries(entries))) as T;
}

/** Keywords whose values are data, not schemas. */
const isData = (key: string) => ['example', 'examples', 'default', 'const', 'enum', 'required'].includes(key);

type Loose = Record<string, unknown>;

/** Formats that say as much as the expression that Zod adds. */
const KNOWN_FORMATS = new Set<unknown>(['date-time', 'date', 'uuid']);

function withoutNoise(schema: Loose): Loose {
  const { pattern, propertyNames, ...rest } = schema;
  const kept: Loose = { ...rest };
  if (pattern !== undefined && !(typeof pattern === 'string' && KNOWN_FORMATS.has(schema.format)))
    kept.pattern = pattern;
  // Zod limits integers to those that JSON programs can represent.
  if (kept.minimum === Number.MIN_SAFE_INTEGER) delete kept.minimum;
  if (kept.maximum === Number.MAX_SAFE_INTEGER) delete kept.maximum;
  // Names of members are always strings.
  if (propertyNames !== undefined && JSON.stringify(propertyNames) !== '{"type":"string"}')
    kept.propertyNames = propertyNames;
  return kept;
}

/** `anyOf: [{ type: 'string' }, { type: 'null' }]` becomes `type: ['string', 'null']`. */
function shortNullable(schema: Loose): Loose {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema;
  const [inner, none] = anyOf as [Loose, Loose];
  const isNone = Object.keys(none).length === 1 && none.type === 'null';
  if (!isNone || typeof inner.type !== 'string' || 'const' in inner) return schema;
  const { type, enum: values, ...more } = inner;
  const options = Array.isArray(values) ? { enum: [...values, null] } : {};
  return { type: [type, 'null'], ...options, ...more, ...rest };
}
