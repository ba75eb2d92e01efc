import type { OpenapiDocument } from './openapi-objects.ts';

/** Removes components that nothing refers to, and sorts the rest by name. */
export function withoutUnused(document: OpenapiDocument): OpenapiDocument {
  const { components, ...rest } = document;
  const used = new Set<string>();
  const visit = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return;
    for (const [key, value] of Object.entries(part)) {
      if (key === '$ref' && typeof value === 'string') follow(value);
      else visit(value);
    }
  };
  const follow = (reference: string): void => {
    if (used.has(reference)) return;
    used.add(reference);
    const [kind = '', name = ''] = reference.replace('#/components/', '').split('/');
    visit(components[kind]?.[name]);
  };
  visit(rest);
  const kept = Object.entries(components).map(([kind, parts]) => {
    const names = Object.keys(parts).filter(
      (name) => kind === 'securitySchemes' || used.has(`#/components/${kind}/${name}`),
    );
    return [kind, Object.fromEntries(names.sort().map((name) => [name, parts[name]]))] as const;
  });
  const filled = kept.filter(([, parts]) => Object.keys(parts).length > 0);
  return { ...rest, components: Object.fromEntries(filled) as OpenapiDocument['components'] };
}

/** The part of a document with these paths, webhooks and the components and tags they use. */
export function partOf(
  document: OpenapiDocument,
  covers: (path: string) => boolean,
  events: ReadonlySet<string>,
): OpenapiDocument {
  const pick = <T>(parts: Readonly<Record<string, T>>, keep: (name: string) => boolean) =>
    Object.fromEntries(Object.entries(parts).filter(([name]) => keep(name)));
  const paths = pick(document.paths, covers);
  const webhooks = pick(document.webhooks, (name) => events.has(name));
  const operations = [...Object.values(paths), ...Object.values(webhooks)].flatMap(
    (item) => Object.values(item) as { readonly tags: readonly string[] }[],
  );
  const tags = new Set(operations.flatMap(({ tags }) => tags));
  return withoutUnused({
    ...document,
    tags: document.tags.filter(({ name }) => tags.has(name)),
    paths,
    webhooks,
  });
}
