import { Command } from 'commander';
import { exitOf } from '#cli/command-codes.ts';
import { type SealKeySettings, trustedKeys } from '#fill/node/seal-key.ts';
import { SIGNATURE_NAME } from '#fill/results/manifest-signature.ts';
import { printJson, printLines, tell } from './answer.ts';
import { CommandFailed } from './command-failed.ts';
import { type Progress, startProgress } from './progress.ts';
import { pinnedKeys } from './verify/pinned-keys.ts';
import type { ArchiveProblem, ArchiveVerdict, ProblemKind } from './verify/verify-archive.ts';
import { verifyArchive } from './verify/verify-archive.ts';

interface VerifyFlags {
  readonly key?: string;
  readonly json: boolean;
}

/** `rowpress verify`: needs neither a server nor a database. The settings say which seal keys this machine trusts. */
export function verifyCommand(settings: () => SealKeySettings): Command {
  return new Command('verify')
    .description(
      'Check every PDF of a downloaded ZIP against its manifest, and the signature of the manifest',
    )
    .argument('<zip>', 'ZIP of a Bulk Fill job or of rowpress fill')
    .option(
      '--key <key|file>',
      'Require a signature of this public seal key, or of one in this file (lines, or /seals/list.json)',
    )
    .option('--json', 'Print one JSON object', false)
    .action((path: string, flags: VerifyFlags) => run(path, flags, settings));
}

async function run(path: string, { key, json }: VerifyFlags, settings: () => SealKeySettings): Promise<void> {
  const pinned = key === undefined ? undefined : await pinnedKeys(key);
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
  const { rows, verified, withoutPdf, merged, dryRun, signer, problemCount, problems } = verdict;
  const signature =
    signer === null ? null : { public_key: signer, trusted: await isTrusted(signer, pinned, settings) };
  const counts = {
    file: path,
    rows,
    verified,
    rows_without_pdf: withoutPdf,
    merged,
    dry_run: dryRun,
    signature,
  };
  const lacksPin = pinned !== undefined && signature?.trusted !== true;
  if (problemCount === 0 && !lacksPin) {
    if (json) return printJson({ ok: true, ...counts, problem_count: 0, problems: [] });
    return printLines([
      successOf(path, verdict),
      ...(signature === null ? [] : [provenBy(signature, pinned !== undefined)]),
    ]);
  }
  const code = problemCount > 0 ? 'ARCHIVE_DAMAGED' : 'SIGNATURE_NOT_TRUSTED';
  const message =
    problemCount > 0
      ? `${path} differs from its manifest: ${problemCount} ${problemCount === 1 ? 'problem' : 'problems'}, ${verified} of ${rows} rows verified.`
      : signer === null
        ? `${path} is intact but not signed: it has no ${SIGNATURE_NAME}, so nothing proves who made it.`
        : `${path} is intact but signed by another key: ${signer}.`;
  process.exitCode = exitOf(code);
  if (json) printJson({ ok: false, code, message, ...counts, problem_count: problemCount, problems });
  else printLines(linesOf(verdict));
  tell(`rowpress: ${message} (${code})`);
}

/** Without `--key`, the keys that this machine trusts count. Its settings matter only for an archive that is signed. */
async function isTrusted(
  signer: string,
  pinned: readonly string[] | undefined,
  settings: () => SealKeySettings,
): Promise<boolean> {
  if (pinned !== undefined) return pinned.includes(signer);
  const trusted = await trustedKeys(settings());
  if (!trusted.ok) throw new CommandFailed('SEAL_KEY_INVALID', `${trusted.message}.`);
  return trusted.keys.includes(signer);
}

function provenBy(
  { public_key, trusted }: { public_key: string; trusted: boolean },
  pinned: boolean,
): string {
  if (trusted)
    return `Its manifest is signed by ${public_key}, ${pinned ? 'a key of --key' : 'a seal key that this machine trusts'}.`;
  return `Its manifest is signed by ${public_key}. The signature is valid, but this does not prove whose key it is: pass --key with the public key of the installation that you expect.`;
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
  damaged: 'is damaged: it cannot be unpacked, or has more than one name',
  missing: 'is missing from the archive',
  surplus: 'is not in the manifest',
  signature: 'does not sign this manifest.json: one of the two was changed',
};

function linesOf({ problems, problemCount }: ArchiveVerdict): string[] {
  const lines = problems.map(({ kind, file_name, row_number }: ArchiveProblem) => {
    const row = row_number === null ? '' : `row ${row_number}: `;
    return `${row}${JSON.stringify(file_name)} ${words[kind]}`;
  });
  const more = problemCount - problems.length;
  return more === 0 ? lines : [...lines, `… and ${more} more`];
}
