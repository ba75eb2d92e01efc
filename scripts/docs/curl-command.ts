import { follow, type MediaType, type OpenapiDocument, type Parameter } from './openapi-model.ts';

/** A shell command that calls an operation. Empty if the document has no example of a body that the operation needs. */
export function curlCommand(
  document: OpenapiDocument,
  {
    method,
    path,
    parameters,
    bodies,
  }: {
    method: string;
    path: string;
    parameters: readonly Parameter[];
    bodies: readonly (readonly [string, MediaType])[];
  },
): string {
  if (method === 'HEAD') return '';
  const headers = parameters
    .filter((parameter) => parameter.in === 'header' && parameter.required === true)
    .map(({ name, example, schema }) => `-H '${name}: ${example ?? schema?.examples?.[0] ?? '…'}'`);
  const lines = [
    `curl -sS ${method === 'GET' ? '' : `-X ${method} `}"$ROWPRESS_URL${path}"`,
    '-H "Authorization: Bearer $ROWPRESS_KEY"',
    ...headers,
  ];
  const [type, media] = bodies[0] ?? [];
  if (type === undefined || media === undefined) return join(lines);
  const [first] = Object.values(media.examples ?? {}).map((one) => follow(document, one).value);
  const value = media.example ?? first;
  if (type === 'multipart/form-data') return join([...lines, ...formFields(document, media, value)]);
  if (value === undefined) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  return join([...lines, `-H 'Content-Type: ${type}'`, `-d '${text.replaceAll("'", "'\\''")}'`]);
}

/** The fields of the example, or those that are required. A file is a name to replace. */
function formFields(document: OpenapiDocument, { schema }: MediaType, value: unknown): string[] {
  const { properties = {}, required = [] } = schema === undefined ? {} : follow(document, schema);
  const given = Object.entries(
    (value ?? Object.fromEntries(required.map((name) => [name, undefined]))) as object,
  );
  return given.map(([name, text]) => {
    const field = properties[name];
    const isFile = field !== undefined && follow(document, field).format === 'binary';
    // Examples name files as `(bytes of form.pdf)`.
    const file = /[\w.-]+\.\w+/.exec(typeof text === 'string' ? text : '')?.[0] ?? name;
    if (isFile) return `-F ${name}=@${file}`;
    return `-F '${name}=${text ?? '…'}'`;
  });
}

const join = (lines: readonly string[]) => lines.join(' \\\n  ');
