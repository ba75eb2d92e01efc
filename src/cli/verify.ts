import { Command } from 'commander';
import { exitOf } from '#cli/command-codes.ts';
import { printJson, printLines, tell } from './answer.ts';
import { type Progress, startProgress } from './progress.ts';
import type { ArchiveProblem, ArchiveVerdict, ProblemKind } from './verify/verify-archive.ts';
import { verifyArchive } from './verify/verify-archive.ts';

/** `rowpress verify`: needs neither a server nor a database. */
export function verifyCommand(): Command {
  return new Command('verify')
    .description('Check every PDF of a downloaded ZIP against its manifest')
    .argument('<zip>', 'ZIP of a Bulk Fill job or of rowpress fill')
    .option('--json', 'Print one JSON object', false)
    .action(run);
}

async function run(path: string, { json }: { readonly json: boolean }): Promise<void> {
  let progress: Promise<Progress> | undefined;
  let done = 0;
  const verdict = await verifyArchive(
    path,
    (entries) => {
      progress = startProgress(entries, { verb: 'verifying', unit: 'files' });
    },
    () => {
      done += 1;
      void progress?.then((bar) => bar.update(done));
    },
  ).finally(async () => (await progress)?.stop());
  const { rows, verified, withoutPdf, merged, dryRun, problemCount, problems } = verdict;
  const counts = { file: path, rows, verified, rows_without_pdf: withoutPdf, merged, dry_run: dryRun };
  if (problemCount === 0) {
    if (json) return printJson({ ok: true, ...counts, problem_count: 0, problems: [] });
    return printLines([successOf(path, verdict)]);
  }
  const code = 'ARCHIVE_DAMAGED';
  const message = `${path} differs from its manifest: ${problemCount} ${problemCount === 1 ? 'problem' : 'problems'}, ${verified} of ${rows} rows verified.`;
  process.exitCode = exitOf(code);
  if (json) printJson({ ok: false, code, message, ...counts, problem_count: problemCount, problems });
  else printLines(linesOf(verdict));
  tell(`rowpress: ${message} (${code})`);
}

function successOf(path: string, { rows, verified, withoutPdf, merged, dryRun }: ArchiveVerdict): string {
  if (dryRun) return `${path} is a dry run of ${rows} rows: it has a manifest and no PDFs.`;
  const without =
    withoutPdf === 0
      ? ''
      : `; ${withoutPdf === 1 ? '1 row failed and has' : `${withoutPdf} rows failed and have`} no PDF, as the manifest says`;
  const files = [
    ...(verified > 0 || merged === null ? [`${verified} PDFs of ${rows} rows`] : []),
    ...(merged === null ? [] : [`${merged.file_name} with ${merged.rows} of ${rows} rows`]),
  ];
  return `${path} is intact: ${files.join(' and ')} verified${without}.`;
}

const words: Record<ProblemKind, string> = {
  changed: 'is not the file in the manifest (SHA-256 differs)',
  damaged: 'is damaged and cannot be unpacked',
  missing: 'is missing from the archive',
  surplus: 'is not in the manifest',
};

function linesOf({ problems, problemCount }: ArchiveVerdict): string[] {
  const lines = problems.map(({ kind, file_name, row_number }: ArchiveProblem) => {
    const row = row_number === null ? '' : `row ${row_number}: `;
    return `${row}${JSON.stringify(file_name)} ${words[kind]}`;
  });
  const more = problemCount - problems.length;
  return more === 0 ? lines : [...lines, `… and ${more} more`];
}
