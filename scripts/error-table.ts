import { commandCatalogue } from '#cli/command-codes.ts';
import { dialectsOf } from '#main/registries.ts';
import { surfaces } from '#main/surfaces.ts';

/** Returns docs/errors.md: one table per dialect and one for commands, in the order of the sources. */
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

Match on the code; messages are for people and may change. "retry" means that the same request may succeed later.
Run \`node scripts/generate-error-table.ts\` to regenerate this page from \`errors.ts\` of each surface and of the console and from
\`src/cli/command-codes.ts\`.

${sections.join('\n')}
## The command line (\`--json\`)

Besides these, a command that reads a PDF, a package or rows uses the codes of Bulk Fill and exits with 1, or with 3 for
\`FAILED_ROW_THRESHOLD_EXCEEDED\`; for a row that fails, \`--preview\` writes the code of the row to the manifest.

| code | exit | meaning |
|---|---|---|
${commands.join('\n')}
`;
}
