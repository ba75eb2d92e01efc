import type { MediaType, OpenapiDocument, Operation, Parameter, ResponseObject } from './openapi-objects.ts';
import { nameOfBody, shareExamples } from './share-examples.ts';

type Named = Map<string, { readonly name: string; readonly value: object }>;

/** Moves headers, and parameters, responses and examples that several operations share, to the components. */
export function shareParts(document: OpenapiDocument, surfaceOf: (path: string) => string): OpenapiDocument {
  return shareExamples(shareOperationParts(document, surfaceOf));
}

function shareOperationParts(
  document: OpenapiDocument,
  surfaceOf: (path: string) => string,
): OpenapiDocument {
  const headers = new Map<string, object>();
  const withHeaders = mapOperations(document, (operation) => ({
    ...operation,
    responses: mapValues(operation.responses, (response) => shareHeaders(response, headers)),
  }));
  const responses = mapValues(document.components.responses ?? {}, (each) => shareHeaders(each, headers));

  const parameters = collect(withHeaders, ({ parameters = [] }, path) =>
    (parameters as Parameter[]).map((each) => [
      surfaceOf(path).replaceAll(' ', '') + pascal(each.name),
      each,
    ]),
  );
  const shared = collect(withHeaders, (operation) =>
    Object.values(operation.responses).flatMap((response) => {
      const name = nameOfResponse(response as ResponseObject);
      return name === undefined ? [] : [[name, response]];
    }),
  );
  const paths = mapOperations(withHeaders, (operation) => ({
    ...operation,
    parameters: (operation.parameters ?? []).map((each) => replace(each, parameters, 'parameters')),
    responses: mapValues(operation.responses, (each) => replace(each, shared, 'responses')),
  })).paths;
  return {
    ...document,
    paths: withoutEmptyParameters(paths),
    components: {
      ...document.components,
      headers: Object.fromEntries(headers),
      parameters: valuesOf(parameters),
      responses: { ...responses, ...valuesOf(shared) },
    },
  };
}

/** Every header is a component. Two descriptions of one header are a bug. */
function shareHeaders<T extends object>(response: T, found: Map<string, object>): T {
  const { headers } = response as ResponseObject;
  if (headers === undefined) return response;
  for (const [name, header] of Object.entries(headers)) {
    const known = found.get(name) ?? header;
    if (JSON.stringify(known) !== JSON.stringify(header)) throw new Error(`bug: two descriptions of ${name}`);
    found.set(name, known);
  }
  const names = Object.keys(headers);
  const references = names.map((name) => [name, { $ref: `#/components/headers/${name}` }]);
  const { headers: _, ...rest } = response as ResponseObject;
  const { description, ...content } = rest;
  const kept = names.length > 0 && { headers: Object.fromEntries(references) };
  return { description, ...kept, ...content } as unknown as T;
}

/** The values that occur more than once, by their JSON. The most frequent value gets the name if several have it. */
function collect(
  document: OpenapiDocument,
  list: (operation: Operation, path: string) => (readonly [name: string, value: object])[],
): Named {
  const counts = new Map<string, { name: string; value: object; count: number }>();
  for (const [path, item] of Object.entries(document.paths))
    for (const operation of Object.values(item))
      for (const [name, value] of list(operation, path)) {
        const key = JSON.stringify(value);
        const known = counts.get(key) ?? { name, value, count: 0 };
        counts.set(key, { ...known, count: known.count + 1 });
      }
  const repeated = [...counts].filter(([, { count }]) => count > 1).sort(([, a], [, b]) => b.count - a.count);
  const taken = new Set<string>();
  return new Map(repeated.filter(([, { name }]) => !taken.has(name) && taken.add(name)));
}

/** A response is named after the schema of its only body. */
function nameOfResponse({ content = {} }: ResponseObject): string | undefined {
  const [media, ...others] = Object.values(content) as MediaType[];
  return media === undefined || others.length > 0 ? undefined : nameOfBody(media.schema);
}

function replace(value: object, named: Named, kind: string): object {
  const found = named.get(JSON.stringify(value));
  return found === undefined ? value : { $ref: `#/components/${kind}/${found.name}` };
}

const pascal = (name: string) =>
  name.replaceAll(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, letter) => letter.toUpperCase());

const valuesOf = (named: Named) =>
  Object.fromEntries([...named.values()].map(({ name, value }) => [name, value]));

function mapValues<T, U>(parts: Readonly<Record<string, T>>, change: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(parts).map(([name, value]) => [name, change(value)]));
}

function mapOperations(
  document: OpenapiDocument,
  change: (operation: Operation) => Operation,
): OpenapiDocument {
  return { ...document, paths: mapValues(document.paths, (item) => mapValues(item, change)) };
}

function withoutEmptyParameters(paths: OpenapiDocument['paths']): OpenapiDocument['paths'] {
  return mapValues(paths, (item) =>
    mapValues(item, (operation) => {
      const { parameters = [], ...rest } = operation;
      return parameters.length > 0 ? operation : rest;
    }),
  );
}
