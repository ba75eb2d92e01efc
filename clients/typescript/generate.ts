/**
 * Writes the generated sources of the client: `src/wire.ts` from docs/openapi.json and `src/retry-table.ts` from
 * docs/errors.json. `--check` only compares.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { writeOrCheck } from '../../scripts/generated-file.ts';
import { retryOfStatus } from './src/retry-of-status.ts';

const COMMAND = 'node clients/typescript/generate.ts';
const read = (path: string) =>
  JSON.parse(readFileSync(new URL(`../../docs/${path}`, import.meta.url), 'utf8'));
const target = (name: string) => fileURLToPath(new URL(`src/${name}`, import.meta.url));

const { openapi, info, components } = read('openapi.json') as OpenAPI3;
/** The client uses the named schemas only; paths and parameters are its own code. */
const schemasOnly: OpenAPI3 = {
  openapi,
  info,
  paths: {},
  components: { schemas: components?.schemas ?? {} },
};

const wire = astToString(
  await openapiTS(schemasOnly, {
    excludeDeprecated: false,
    emptyObjectsUnknown: true,
  }),
);
writeOrCheck(
  target('wire.ts'),
  `// Generated from docs/openapi.json by \`${COMMAND}\`. Do not edit.\n${wire}`,
  COMMAND,
);

type Table = Record<string, Record<string, { status: number; retry: string }>>;
const errors: Table = read('errors.json');
/** Codes that must not be retried are listed only if their status alone says otherwise. */
const lines = ['bulkfill', 'subscribers', 'ingest'].map((surface) => {
  const listed = Object.entries(errors[surface] ?? {})
    .filter(([, { status, retry }]) => retry !== 'no' || retryOfStatus(status) !== 'no')
    .map(([code, { retry }]) => `    '${code}': '${retry}',`)
    .sort();
  return [`  ${surface}: {`, ...listed, '  },'].join('\n');
});
writeOrCheck(
  target('retry-table.ts'),
  `// Generated from docs/errors.json by \`${COMMAND}\`. Do not edit.
import type { Retry, Surface } from './rowpress-error.ts';

export const RETRY_TABLE: Readonly<Record<Surface, Readonly<Record<string, Retry>>>> = {
${lines.join('\n')}
};
`,
  COMMAND,
);
