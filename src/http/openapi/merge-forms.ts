import type { OpenapiDocument } from './openapi-objects.ts';

const PREFIX = '#/components/schemas/';
const SUFFIX = 'Input';

/**
 * Gives a schema one name. Zod schemas have two forms, `Name` for responses and `NameInput` for requests. If only one is used,
 * or both are equal, the document contains `Name` alone.
 */
export function mergeForms(document: OpenapiDocument): OpenapiDocument {
  const schemas = document.components.schemas ?? {};
  const inputs = Object.keys(schemas).filter((name) => name.endsWith(SUFFIX));
  const plain = (name: string) => name.slice(0, -SUFFIX.length);
  const merged = new Set(inputs);
  // Two forms are equal if they are equal once the forms inside them are merged, so unequal ones are removed until none is left.
  for (let before = -1; before !== merged.size; ) {
    before = merged.size;
    for (const name of merged) {
      const other = schemas[plain(name)];
      if (other === undefined) continue;
      const [mine, theirs] = [schemas[name], other].map((schema) => JSON.stringify(rename(schema, merged)));
      if (mine !== theirs) merged.delete(name);
    }
  }
  const named = Object.entries(schemas).map(([name, schema]) => [
    merged.has(name) ? plain(name) : name,
    schema,
  ]);
  const { components } = document;
  const renamed = { ...document, components: { ...components, schemas: Object.fromEntries(named) } };
  return rename(renamed, merged);
}

/** Points the references to merged forms at their plain names. */
function rename<T>(part: T, merged: ReadonlySet<string>): T {
  return JSON.parse(JSON.stringify(part), (key, value) => {
    if (key !== '$ref' || typeof value !== 'string' || !value.startsWith(PREFIX)) return value;
    const name = value.slice(PREFIX.length);
    return merged.has(name) ? PREFIX + name.slice(0, -SUFFIX.length) : value;
  }) as T;
}
