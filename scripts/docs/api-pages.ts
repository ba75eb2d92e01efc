import { type ApiOperation, operationPart } from './api-operation.ts';
import { API_GROUP } from './navigation.ts';
import { METHODS, type OpenapiDocument, type Operation } from './openapi-model.ts';
import { tableHtml } from './render-markdown.ts';
import { inlineCode } from './schema-html.ts';
import {
  Anchors,
  addressOf,
  escapeHtml,
  type Heading,
  type SearchSection,
  type SitePage,
} from './site-page.ts';

const WEBHOOKS = 'Webhook events';

/** The API reference: a list of all operations, and one page per tag. */
export function apiPages(document: OpenapiDocument): SitePage[] {
  const operations = operationsOf(document);
  const described = new Map(document.tags?.map(({ name, description }) => [name, description ?? '']));
  const tags = [...new Set([...described.keys(), ...operations.map(({ tag }) => tag)])].filter((tag) =>
    operations.some((operation) => operation.tag === tag),
  );
  const pages = tags.map((tag) =>
    tagPage(
      document,
      tag,
      described.get(tag),
      operations.filter((operation) => operation.tag === tag),
    ),
  );
  return [overview(document, tags, operations), ...pages];
}

const slugOf = (tag: string) => `api/${new Anchors().of(tag)}`;

function operationsOf(document: OpenapiDocument): ApiOperation[] {
  const found = Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      return operation === undefined ? [] : [toOperation(operation, method, path, item.parameters)];
    }),
  );
  const events = Object.entries(document.webhooks ?? {}).flatMap(([name, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      const event = { ...operation, summary: operation?.summary ?? name, operationId: name };
      return operation === undefined
        ? []
        : [{ ...toOperation(event, method, name), tag: WEBHOOKS, isEvent: true }];
    }),
  );
  return [...found, ...events];
}

function toOperation(
  operation: Operation,
  method: string,
  path: string,
  shared: Operation['parameters'] = [],
): ApiOperation {
  return {
    id: operation.operationId ?? `${method}-${path}`,
    tag: operation.tags?.[0] ?? 'Server',
    title: operation.summary ?? `${method.toUpperCase()} ${path}`,
    method: method.toUpperCase(),
    path,
    isEvent: false,
    operation: { ...operation, parameters: [...shared, ...(operation.parameters ?? [])] },
  };
}

function overview(
  document: OpenapiDocument,
  tags: readonly string[],
  operations: readonly ApiOperation[],
): SitePage {
  const lead = 'Every route of this server, with its parameters, bodies, responses and errors.';
  const headings: Heading[] = [{ id: 'api-reference', level: 1, text: 'API reference' }];
  const lists = tags.map((tag) => {
    const anchor = new Anchors().of(tag);
    headings.push({ id: anchor, level: 2, text: tag });
    const rows = operations
      .filter((operation) => operation.tag === tag)
      .map(
        ({ id, title, method, path, isEvent }) =>
          `<tr><td><a href="${addressOf(slugOf(tag), id)}">${escapeHtml(title)}</a></td><td>${isEvent ? '' : `<span class="method ${method.toLowerCase()}">${method}</span> <code>${escapeHtml(path).replaceAll('/', '/<wbr>')}</code>`}</td></tr>`,
      );
    return `<h2 id="${anchor}"><a href="${slugOf(tag)}">${escapeHtml(tag)}</a></h2>
${tableHtml(`<thead><tr><th scope="col">operation</th><th scope="col">route</th></tr></thead><tbody>${rows.join('\n')}</tbody>`)}`;
  });
  const html = `<h1 id="api-reference">API reference</h1>
<p class="lead">${lead}</p>
<p>Send a key of the surface as <code>Authorization: Bearer …</code>. Every request that changes something takes an
<a href="concepts/idempotency">idempotency key</a>, and every error has <a href="errors">a code</a> that says whether a retry helps. Clients can be
generated from the <a href="../openapi.json">OpenAPI 3.1 document</a> (version ${escapeHtml(document.info.version)}).</p>
<p>The commands on these pages read the address of the server from <code>ROWPRESS_URL</code> and the key from <code>ROWPRESS_KEY</code>.</p>
${lists.join('\n')}`;
  const markdown = operations
    .map(({ title, method, path, isEvent }) =>
      isEvent ? `- Event \`${path}\`: ${title}` : `- \`${method} ${path}\`: ${title}`,
    )
    .join('\n');
  return {
    slug: 'api',
    title: 'All operations',
    lead,
    group: API_GROUP,
    html,
    headings,
    sections: [{ id: '', heading: 'API reference', text: lead }],
    anchors: [],
    markdown: `# API reference\n\n${lead} The OpenAPI document is at /openapi.json.\n\n${markdown}\n`,
  };
}

function tagPage(
  document: OpenapiDocument,
  tag: string,
  description: string | undefined,
  operations: readonly ApiOperation[],
): SitePage {
  const slug = slugOf(tag);
  const fallback =
    tag === WEBHOOKS
      ? 'The events that the server sends to your webhook receivers.'
      : `The routes of ${tag}.`;
  const lead = description === undefined || description === '' ? fallback : description;
  const parts = operations.map((operation) => ({ operation, ...operationPart(document, slug, operation) }));
  const title = new Anchors().of(tag);
  const headings = [
    { id: title, level: 1, text: tag },
    ...parts.map(({ operation }) => ({ id: operation.id, level: 2, text: operation.title })),
  ];
  const sections: SearchSection[] = [
    { id: '', heading: tag, text: lead },
    ...parts.map(({ operation, text }) => ({ id: operation.id, heading: operation.title, text })),
  ];
  return {
    slug,
    title: tag,
    lead,
    group: API_GROUP,
    html: `<h1 id="${title}">${escapeHtml(tag)}</h1>\n<p class="lead">${inlineCode(lead)}</p>\n${parts.map(({ html }) => html).join('\n')}`,
    headings,
    sections,
    anchors: [],
    markdown: `# ${tag}\n\n${lead}\n\n${parts.map(({ markdown }) => markdown).join('\n\n')}\n`,
  };
}
