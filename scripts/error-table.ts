import { commandCatalogue } from '#cli/command-codes.ts';
import { dialectsOf } from '#main/registries.ts';
import { surfaces } from '#main/surfaces.ts';

/** docs/errors.md: the catalogues as a table per dialect and one for commands, in the order of the sources. */
export function errorTable(): string {
  const sections = dialectsOf(surfaces).all.map(({ title: heading, prefix, errors }) => {
    const rows = Object.entries(errors.codes).map(
      ([code, { status, retryable, title }]) =>
        `| \`${code}\` | ${status} | ${title} | ${retryable ? 'yes' : 'no'} |`,
    );
    return `## ${heading} (\`${prefix}/*\`)\n\n| code | status | meaning | retry |\n|---|---|---|---|\n${rows.join('\n')}\n`;
  });
  const commands = Object.entries(commandCatalogue).map(
    ([code, { exit, title }]) => `| \`${code}\` | ${exit} | ${title} |`,
  );
  return `# Errors

Generated from \`errors.ts\` of each surface and of the console and \`src/cli/command-codes.ts\` by \`node scripts/generate-error-table.ts\`. Match on the code; the message is for
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
