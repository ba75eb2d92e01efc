import { type CatalogueEntry, catalogue, type Dialect } from '../src/lib/errors/catalogue.ts';

const HEADINGS: Readonly<Record<Dialect, string>> = {
  bulkfill: 'Bulk Fill (`/v1/bulkfill/*`)',
  subscribers: 'Subscribers (the rest of `/v1`)',
  ingest: 'Ingest (`/wms-ingest/v1/*`)',
  console: 'Operator API (`/operator/v1/*`)',
};

/** docs/errors.md: the catalogue as a table per dialect, in the order of the source. */
export function errorTable(): string {
  const sections = (Object.keys(HEADINGS) as Dialect[]).map((dialect) => {
    const rows = Object.entries<CatalogueEntry>(catalogue[dialect]).map(
      ([code, { status, retryable, title }]) =>
        `| \`${code}\` | ${status} | ${title} | ${retryable ? 'yes' : 'no'} |`,
    );
    return `## ${HEADINGS[dialect]}\n\n| code | status | meaning | retry |\n|---|---|---|---|\n${rows.join('\n')}\n`;
  });
  return `# Errors

Generated from \`src/lib/errors/catalogue.ts\` by \`node scripts/generate-error-table.ts\`. Match on the code; the message is for
people and may change. "retry" answers whether the very same request may succeed later.

${sections.join('\n')}`;
}
