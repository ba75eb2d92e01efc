import { STATUS_CODES } from 'node:http';
import { Marked } from 'marked';
import { curlCommand } from './curl-command.ts';
import {
  follow,
  type MediaType,
  type OpenapiDocument,
  type Operation,
  type Parameter,
  type Response,
} from './openapi-model.ts';
import { codeBlock, tableHtml } from './render-markdown.ts';
import { inlineCode, SchemaHtml } from './schema-html.ts';
import { escapeHtml, textOf } from './site-page.ts';

/** An operation or a webhook event, as the reference shows it. */
export interface ApiOperation {
  readonly id: string;
  readonly tag: string;
  readonly title: string;
  readonly method: string;
  readonly path: string;
  readonly isEvent: boolean;
  readonly operation: Operation;
}

const markdown = new Marked({ gfm: true });

/** The section of one operation: as HTML, as text for the search, and as Markdown. */
export function operationPart(
  document: OpenapiDocument,
  slug: string,
  { id, title, method, path, isEvent, operation }: ApiOperation,
): { html: string; text: string; markdown: string } {
  const schemas = new SchemaHtml(document);
  const route = isEvent
    ? `<p class="route"><span class="method event">EVENT</span> <code>${escapeHtml(path)}</code></p>`
    : `<p class="route"><span class="method ${method.toLowerCase()}">${method}</span> <code>${escapeHtml(path).replaceAll('/', '/<wbr>')}</code></p>`;
  const description = operation.description ?? '';
  const parameters = (operation.parameters ?? []).map((parameter) => follow(document, parameter));
  const body = operation.requestBody === undefined ? undefined : follow(document, operation.requestBody);
  const responses = Object.entries(operation.responses ?? {}).map(
    ([status, response]) => [status, follow(document, response)] as const,
  );
  const successes = responses.filter(([status]) => /^[123]/.test(status));
  const failures = responses.filter(([status]) => !/^[123]/.test(status));
  const bodies = Object.entries(body?.content ?? {});
  const curl = isEvent ? '' : curlCommand(document, { method, path, parameters, bodies });

  const html = [
    `<section class="operation" aria-labelledby="${id}">`,
    `<h2 id="${id}">${escapeHtml(title)}<a class="anchor" href="${slug}#${id}" aria-label="Link to ${escapeHtml(title)}">#</a></h2>`,
    route,
    operation.deprecated === true ? '<p class="note">Deprecated.</p>' : '',
    description === '' ? '' : String(markdown.parse(description)),
    curl === '' ? '' : codeBlock(curl, 'sh'),
    parameters.length === 0 ? '' : `<h3>Parameters</h3>${parameterTable(schemas, parameters)}`,
    bodies.length === 0
      ? ''
      : `<h3>${isEvent ? 'Body' : 'Request body'}</h3>${limitOf(operation)}${bodies.map(([type, media]) => mediaHtml(document, schemas, type, media, true)).join('')}`,
    isEvent
      ? ''
      : successes
          .map(([status, response]) => responseHtml(document, schemas, status, response, true))
          .join(''),
    isEvent || failures.length === 0
      ? ''
      : `<details class="failures"><summary>Errors: ${failures.map(([status]) => status).join(', ')}</summary>${failures.map(([status, response]) => responseHtml(document, schemas, status, response, false)).join('')}</details>`,
    '</section>',
  ].join('\n');
  const text = textOf(
    `${method} ${path} ${description} ${parameters.map(({ name, description: about = '' }) => `${name} ${about}`).join(' ')} ${bodies.map(([, { schema }]) => Object.keys(schema === undefined ? {} : (follow(document, schema).properties ?? {})).join(' ')).join(' ')}`,
  );
  const brief = `## ${title}\n\n\`${isEvent ? path : `${method} ${path}`}\`\n\n${description}\n\n${curl === '' ? '' : `\`\`\`sh\n${curl}\n\`\`\`\n`}`;
  return { html, text, markdown: brief.trim() };
}

function limitOf(operation: Operation): string {
  const bytes = operation['x-max-body-bytes'];
  return bytes === undefined ? '' : `<p class="note">At most ${bytes.toLocaleString('en-US')} bytes.</p>`;
}

function parameterTable(schemas: SchemaHtml, parameters: readonly Parameter[]): string {
  const rows = parameters.map(({ name, in: place, required, description = '', schema = {} }) => {
    const type = `<span class="type">${escapeHtml(schemas.type(schema))}</span>${required === true ? ' <span class="required">required</span>' : ''}`;
    return `<tr><td><code>${escapeHtml(name)}</code></td><td>${escapeHtml(place)}</td><td>${type}<div>${inlineCode(description)}</div>${schemas.limits(schema)}</td></tr>`;
  });
  return tableHtml(
    `<thead><tr><th scope="col">name</th><th scope="col">in</th><th scope="col">meaning</th></tr></thead><tbody>${rows.join('\n')}</tbody>`,
  );
}

function responseHtml(
  document: OpenapiDocument,
  schemas: SchemaHtml,
  status: string,
  response: Response,
  open: boolean,
): string {
  const { description = '' } = response;
  // A description of several lines lists the codes; then the shape of the error says nothing more.
  const listsCodes = description.startsWith('- ');
  const title = listsCodes || description === 'Default Response' ? '' : description;
  const tag = open ? 'h3' : 'h4';
  const heading = `<${tag}><span class="status s${status[0]}">${status}</span> ${inlineCode(title === '' ? (STATUS_CODES[status] ?? 'Response') : title)}</${tag}>`;
  if (listsCodes && !open) return heading + withLinkedCodes(String(markdown.parse(description)));
  const bodies = Object.entries(response.content ?? {}).map(([type, media]) =>
    mediaHtml(document, schemas, type, media, open),
  );
  return heading + headersHtml(document, response) + bodies.join('');
}

/** Links each code of a list to the error page. */
const withLinkedCodes = (html: string) =>
  html.replaceAll(/<li><code>([\w-]+)<\/code>/g, '<li><a href="errors#$1"><code>$1</code></a>');

function headersHtml(document: OpenapiDocument, { headers = {} }: Response): string {
  const named = Object.entries(headers).map(([name, header]) => [name, follow(document, header)] as const);
  if (named.length === 0) return '';
  const items = named.map(
    ([name, { description = '' }]) => `<li><code>${escapeHtml(name)}</code> ${inlineCode(description)}</li>`,
  );
  return `<details><summary>Headers: ${named.map(([name]) => escapeHtml(name)).join(', ')}</summary><ul class="headers">${items.join('')}</ul></details>`;
}

function mediaHtml(
  document: OpenapiDocument,
  schemas: SchemaHtml,
  type: string,
  { schema, example, examples }: MediaType,
  open: boolean,
): string {
  const named = Object.values(examples ?? {}).map((one) => follow(document, one));
  const shown = example === undefined ? named : [{ value: example }, ...named];
  const blocks = shown.map(({ summary, value }: { summary?: string; value?: unknown }) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
    return `${summary === undefined ? '' : `<p class="note">${escapeHtml(summary)}</p>`}${codeBlock(text, typeof value === 'string' ? undefined : 'json')}`;
  });
  const members = schema === undefined ? '' : schemas.members(schema);
  const kind = schema === undefined ? '' : ` · ${escapeHtml(schemas.type(schema))}`;
  const list =
    members === ''
      ? ''
      : `<details class="body"${open && shown.length === 0 ? ' open' : ''}><summary>Members</summary>${members}</details>`;
  return `<p class="media"><code>${escapeHtml(type)}</code>${kind}</p>${blocks.join('')}${list}`;
}
