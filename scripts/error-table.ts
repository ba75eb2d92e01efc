import { type CatalogueEntry, catalogue, type Dialect } from '#lib/errors/catalogue.ts';
import { commandCatalogue } from '#lib/errors/command-codes.ts';

const HEADINGS: Readonly<Record<Dialect, string>> = {
  bulkfill: 'Bulk Fill (`/v1/bulkfill/*`)',
  subscribers: 'Subscribers (the rest of `/v1`)',
  ingest: 'Ingest (`/wms-ingest/v1/*`)',
  console: 'Operator API (`/operator/v1/*`)',
};

/** docs/errors.md: the catalogues as a table per dialect and one for commands, in the order of the sources. */
export function errorTable(): string {
  const sections = (Object.keys(HEADINGS) as Dialect[]).map((dialect) => {
    const rows = Object.entries<CatalogueEntry>(catalogue[dialect]).map(
      ([code, { status, retryable, title }]) =>
        `| \`${code}\` | ${status} | ${title} | ${retryable ? 'yes' : 'no'} |`,
    );
    return `## ${HEADINGS[dialect]}\n\n| code | status | meaning | retry |\n|---|---|---|---|\n${rows.join('\n')}\n`;
  });
  const commands = Object.entries(commandCatalogue).map(
    ([code, { exit, title }]) => `| \`${code}\` | ${exit} | ${title} |`,
  );
  return `# Errors

Generated from \`src/lib/errors/catalogue.ts\` and \`command-codes.ts\` by \`node scripts/generate-error-table.ts\`. Match on the code; the message is for
people and may change. "retry" answers whether the very same request may succeed later.

${sections.join('\n')}
## The command line (\`--json\`)

Besides these, a command that reads a PDF, a package or rows uses the codes of Bulk Fill and exits with 1, or with 3 for
\`FAILED_ROW_THRESHOLD_EXCEEDED\`; a \`--preview\` of a row that fails has the row's code in the manifest.

| code | exit | meaning |
|---|---|---|
${commands.join('\n')}
`;
}
