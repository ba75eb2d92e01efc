import type { JsonSchema } from '../dialects/dialect-spec.ts';
import type { Dialects } from '../dialects/dialects.ts';
import type { RouteGroup } from '../route-group.ts';
import { OPERATION } from './describe-route.ts';
import { errorComponents } from './error-responses.ts';
import { mergeForms } from './merge-forms.ts';
import type { OpenapiDocument, Operation, PathItem } from './openapi-objects.ts';
import { shareParts } from './share-parts.ts';
import { tidySchema } from './tidy-schema.ts';
import { webhookItem } from './webhook-event.ts';
import { withoutUnused } from './without-unused.ts';
import { namedSchemas } from './zod-schemas.ts';

/** Completes the document of @fastify/swagger: operations, webhooks, tags and components. */
export function buildDocument(
  collected: object,
  dialects: Dialects,
  groups: readonly RouteGroup[],
): OpenapiDocument {
  const { paths, ...document } = collected as OpenapiDocument;
  const documented = dialects.all.filter(({ documented }) => documented);
  const whole: OpenapiDocument = {
    ...document,
    tags: groups.flatMap(({ tags = [] }) => tags),
    paths: Object.fromEntries(Object.entries(paths).map(([path, item]) => [path, operationsOf(item)])),
    webhooks: Object.fromEntries(
      groups.flatMap(({ webhooks = {} }) =>
        Object.entries(webhooks).map(([name, event]) => [name, webhookItem(name, event)]),
      ),
    ),
    components: {
      securitySchemes: document.components.securitySchemes ?? {},
      responses: Object.assign({}, ...documented.map(errorComponents)),
      schemas: Object.fromEntries(
        Object.entries(namedSchemas()).map(([name, schema]) => [name, withoutExamples(schema)]),
      ),
    },
  };
  const merged = mergeForms(withoutUnused(tidySchema(whole)));
  return withoutUnused(shareParts(merged, (path) => dialects.choose(path).title));
}

function operationsOf(item: PathItem): PathItem {
  const methods = Object.entries(item).map(([method, operation]) => [
    method,
    (operation as unknown as { [OPERATION]: Operation })[OPERATION],
  ]);
  return Object.fromEntries(methods);
}

/** Examples of named schemas are shown with the bodies that use them. */
function withoutExamples({ examples: _, ...schema }: JsonSchema): JsonSchema {
  return schema;
}
