import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import type { ChainLink } from '#lib/audit/audit-entry.ts';
import { readChain, readMarks, withChainSnapshot } from '#storage/console/audit.ts';
import type { Db } from '#storage/database.ts';
import { printJson, tell } from './answer.ts';
import { CommandFailed } from './command-failed.ts';
import { readConfig } from './read-config.ts';
import { withDatabase } from './with-database.ts';

interface Options {
  readonly output: string;
  readonly json?: true;
}

export function registerAuditExport(audit: Command): void {
  audit
    .command('export')
    .description('Write the audit log as NDJSON, one entry per line, oldest first')
    .option('-o, --output <file>', 'Output file; - is standard output', '-')
    .option('--json', 'Print one JSON object about the export; requires --output')
    .action(run);
}

async function run({ output, json }: Options): Promise<void> {
  if (json && output === '-') throw new CommandFailed('USAGE', '--json requires --output FILE.');
  const { config } = readConfig();
  const { entries, last } = await withDatabase(config, ({ db }) => exportTo(db, output));
  if (json)
    return printJson({
      file: output,
      entries,
      last_seq: last?.seq ?? null,
      last_hash: last?.hash ?? null,
    });
  tell(`Exported ${entries} audit entries.`);
  if (last !== undefined) tell(`Last entry: ${last.seq}, hash ${last.hash}.`);
}

/** Exports from one snapshot, so that retention deletes nothing meanwhile. */
function exportTo(db: Db, output: string): Promise<{ entries: number; last: ChainLink | undefined }> {
  return withChainSnapshot(db, async (tx) => {
    const { checkpoint } = await readMarks(tx);
    let entries = 0;
    let last: ChainLink | undefined;
    async function* lines() {
      for await (const entry of readChain(tx, checkpoint)) {
        entries += 1;
        last = entry;
        yield `${JSON.stringify(entry)}\n`;
      }
    }
    const toStdout = output === '-';
    const sink = toStdout ? process.stdout : createWriteStream(output, { mode: 0o600 });
    await pipeline(Readable.from(lines(), { objectMode: false }), sink, { end: !toStdout });
    return { entries, last };
  });
}
