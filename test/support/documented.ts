import { readFileSync } from 'node:fs';

/**
 * The published document as a judge (I9): what a client sees from a documented route must be written there, status
 * and code. Clients of the contract tests ask it about every answer they get.
 */
interface Operation {
  readonly responses: Readonly<Record<string, unknown>>;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

const document = JSON.parse(
  readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8'),
) as Document;

const paths = Object.entries(document.paths).map(([template, operations]) => ({
  pattern: new RegExp(`^${template.replaceAll('.', '\\.').replaceAll(/\{[^}]+\}/g, '[^/]+')}$`),
  operations,
}));

/** What is wrong with an answer, or null. Paths and methods that are not documented have nothing to keep to. */
export function undocumented(
  method: string,
  path: string,
  status: number,
  code: string | undefined,
): string | null {
  const [plain = ''] = path.split('?');
  const operation = paths.find(({ pattern }) => pattern.test(plain))?.operations[method.toLowerCase()];
  if (operation === undefined) return null;
  const answer = operation.responses[String(status)];
  if (answer === undefined) return `${method} ${plain}: ${status} is not in the OpenAPI document`;
  if (code === undefined || JSON.stringify(answer).includes(`"${code}"`)) return null;
  return `${method} ${plain}: ${status} ${code} is not in the OpenAPI document`;
}
