/**
 * Member names: snake_case on the wire, camelCase here. The values of these members belong to the user, so the names inside
 * them are never changed: row cells by column, item members, custom fields by id, free attributes.
 */
const OPAQUE = ['custom_fields', 'attributes', 'item', 'before', 'after', 'cells'] as const;
type Opaque = (typeof OPAQUE)[number];

export type CamelName<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelName<Tail>>}`
  : Name;

/** A wire type with camelCase members. */
export type Camel<T> = T extends readonly (infer Element)[]
  ? Camel<Element>[]
  : T extends object
    ? {
        [Key in keyof T as Key extends string ? CamelName<Key> : Key]: Key extends Opaque
          ? T[Key]
          : Camel<T[Key]>;
      }
    : T;

const opaque: ReadonlySet<string> = new Set<string>(OPAQUE);

export const camelName = (name: string): string =>
  name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

export const snakeName = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

export function toCamel<T>(value: unknown): T {
  return rename(value, camelName, (name) => opaque.has(name)) as T;
}

export function toSnake(value: unknown): unknown {
  return rename(value, snakeName, (name) => opaque.has(snakeName(name)));
}

function rename(value: unknown, to: (name: string) => string, keep: (name: string) => boolean): unknown {
  if (Array.isArray(value)) return value.map((element) => rename(element, to, keep));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [to(name), keep(name) ? inner : rename(inner, to, keep)]),
  );
}
