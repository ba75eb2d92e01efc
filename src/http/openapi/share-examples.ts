import type { JsonSchema } from '../dialects/dialect-spec.ts';
import type { OpenapiDocument } from './openapi-objects.ts';

interface Media {
  readonly schema: JsonSchema;
  readonly example: object;
}

/** Moves the examples that several bodies share to the components. */
export function shareExamples(document: OpenapiDocument): OpenapiDocument {
  const uses = new Map<string, { name: string; value: object; count: number }>();
  visit(document, ({ schema, example }) => {
    const key = JSON.stringify(example);
    const known = uses.get(key) ?? { name: nameOfBody(schema) ?? '', value: example, count: 0 };
    uses.set(key, { ...known, count: known.count + 1 });
  });
  const taken = new Set<string>(['']);
  const shared = new Map(
    [...uses].filter(([, { name, count }]) => count > 1 && !taken.has(name) && taken.add(name)),
  );
  const replaced = JSON.parse(JSON.stringify(document), (_key, part) => {
    const found = isMedia(part) ? shared.get(JSON.stringify(part.example)) : undefined;
    if (found === undefined) return part;
    const { example: _, ...media } = part;
    return { ...media, examples: { [found.name]: { $ref: `#/components/examples/${found.name}` } } };
  }) as OpenapiDocument;
  const examples = [...shared.values()].map(({ name, value }) => [name, { value }]);
  return { ...replaced, components: { ...replaced.components, examples: Object.fromEntries(examples) } };
}

/** `ExportJob` for a body of that schema, `TagItem` for `{ data: Tag }`, `TagPage` for a list of them. */
export function nameOfBody(schema: JsonSchema): string | undefined {
  const { $ref, properties } = schema as {
    $ref?: string;
    properties?: { data?: { $ref?: string; items?: { $ref?: string } } };
  };
  const last = (reference: string) => reference.split('/').at(-1);
  if ($ref !== undefined) return last($ref);
  const { $ref: item, items } = properties?.data ?? {};
  if (item !== undefined) return `${last(item)}Item`;
  return items?.$ref === undefined ? undefined : `${last(items.$ref)}Page`;
}

function isMedia(part: unknown): part is Media {
  return (
    typeof part === 'object' &&
    part !== null &&
    'schema' in part &&
    'example' in part &&
    typeof part.example === 'object' &&
    part.example !== null
  );
}

function visit(part: unknown, found: (media: Media) => void): void {
  if (typeof part !== 'object' || part === null) return;
  if (isMedia(part)) found(part);
  else for (const inner of Object.values(part)) visit(inner, found);
}
