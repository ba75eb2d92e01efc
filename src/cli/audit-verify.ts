import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Command } from 'commander';
import { z } from 'zod';
import type { ChainedEntry } from '#lib/audit/audit-entry.ts';
import { CHAIN_START } from '#lib/audit/audit-entry.ts';
import { type ChainVerdict, verifyChain } from '#lib/audit/verify-chain.ts';
import { readChain, readMarks, withChainSnapshot } from '#storage/console/audit.ts';
import { printJson, printLines, refuse } from './answer.ts';
import { CommandFailed } from './command-failed.ts';
import { readConfig } from './read-config.ts';
import { withDatabase } from './with-database.ts';

export function registerAuditVerify(audit: Command): void {
  audit
    .command('verify')
    .description('Check that no audit entry was changed, removed or added')
    .argument('[file]', 'Exported audit log (default: the database)')
    .option('--json', 'Print one JSON object')
    .action(run);
}

async function run(file: string | undefined, { json }: { readonly json?: true }): Promise<void> {
  const verdict = file === undefined ? await verifyDatabase() : await verifyChain(readLines(file));
  if (!verdict.ok) {
    const message = `The audit log is broken at entry ${verdict.seq}: ${verdict.reason}.`;
    if (!json) return refuse({ code: 'AUDIT_CHAIN_BROKEN', message }, false);
    printJson({
      ok: false,
      code: 'AUDIT_CHAIN_BROKEN',
      message,
      entries: verdict.entries,
      broken_seq: verdict.seq,
    });
    process.exitCode = 1;
    return;
  }
  const { entries, first, last } = verdict;
  if (json)
    return printJson({ ok: true, entries, first_seq: first, last_seq: last.seq, last_hash: last.hash });
  printLines([
    entries === 0
      ? 'The audit log is empty.'
      : `${entries} audit entries are intact (${first} to ${last.seq}).`,
    `Last hash: ${last.hash}`,
  ]);
}

async function verifyDatabase(): Promise<ChainVerdict> {
  const { config } = readConfig();
  return withDatabase(config, ({ db }) =>
    withChainSnapshot(db, async (tx) => {
      const { checkpoint, head = CHAIN_START } = await readMarks(tx);
      return verifyChain(readChain(tx, checkpoint), { after: checkpoint, head });
    }),
  );
}

/** The members needed to follow the chain. The hash covers all others. */
const entrySchema = z.looseObject({
  seq: z.number().int().positive(),
  previous_hash: z.string(),
  hash: z.string(),
});

async function* readLines(file: string): AsyncGenerator<ChainedEntry> {
  const source = createReadStream(file, 'utf8');
  let number = 0;
  for await (const line of createInterface({ input: source, crlfDelay: Number.POSITIVE_INFINITY })) {
    number += 1;
    if (line.trim() !== '') yield parseLine(line, `${file}, line ${number}`);
  }
}

function parseLine(line: string, place: string): ChainedEntry {
  try {
    return entrySchema.parse(JSON.parse(line)) as unknown as ChainedEntry;
  } catch {
    throw new CommandFailed('AUDIT_CHAIN_BROKEN', `${place} is not an audit entry.`);
  }
}
