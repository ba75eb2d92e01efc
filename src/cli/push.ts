import { stat } from 'node:fs/promises';
import { Command, InvalidArgumentError } from 'commander';
import { exitOf } from '#cli/command-codes.ts';
import type { Collection, ItemResult, Rowpress } from '#client/rowpress.ts';
import { printJson, printLines, tell } from './answer.ts';
import { calling } from './remote/calling.ts';
import { connect, type ServerFlags, withServerOptions } from './remote/connection.ts';
import { requireFile } from './remote/export-input.ts';
import { wireOf } from './remote/job-report.ts';
import { withProgress } from './remote/phase-progress.ts';
import { csvItems, formatOf, readItems } from './remote/read-items.ts';
import { announceKey, correlationId } from './remote/request-key.ts';

/** A larger file is sent as a bulk load: it is streamed, and the server works on it as a job. */
const SYNC_BYTES = 1_000_000;
const LISTED_PROBLEMS = 100;

interface PushFlags extends ServerFlags {
  readonly warehouse?: string;
  readonly idempotencyKey?: string;
}

/** `rowpress push`: sends the items of a file to a collection of Ingest. */
export function pushCommand(): Command {
  const command = new Command('push')
    .description('Send items to a collection of Ingest and print what became of them')
    .argument('<collection>', 'Collection, such as master/skus', collection)
    .argument(
      '<file>',
      'Items as .ndjson, .json or .csv; a CSV has a header such as source_id,name,weight_kg:number',
    )
    .option('--warehouse <id>', 'Warehouse that the items are written for (default: all)')
    .option(
      '--idempotency-key <id>',
      'Correlation id of an earlier run of this command (default: a new one)',
      correlationId,
    );
  return withServerOptions(command).action(run);
}

function collection(text: string): Collection {
  if (!/^(master|documents|inventory)\/[a-z0-9-]+$/.test(text))
    throw new InvalidArgumentError('It must be a group and a name, such as master/skus.');
  return text as Collection;
}

async function run(name: Collection, file: string, flags: PushFlags): Promise<void> {
  const client = connect(flags);
  await requireFile(file);
  const isSmall = (await stat(file)).size <= SYNC_BYTES;
  const items = isSmall ? await readItems(file, formatOf(file)) : undefined;
  const key = announceKey(flags.idempotencyKey);
  const options = { correlationId: key, warehouseId: flags.warehouse };
  const pushed = await calling(() =>
    items === undefined
      ? pushBulk(client, name, file, options)
      : client.ingest.upsert(name, items, options).then(({ results, summary }) => ({ results, summary })),
  );
  report(pushed, { ...flags, more: { collection: name, idempotency_key: key } });
}

interface Pushed {
  readonly job_id?: string;
  readonly summary: object;
  readonly results: readonly ItemResult[];
}

type Options = { readonly correlationId: string; readonly warehouseId: string | undefined };

/** Results of items that were stored are not read: a load can have a million of them. */
async function pushBulk(client: Rowpress, name: Collection, file: string, options: Options): Promise<Pushed> {
  const format = formatOf(file);
  const source =
    format === 'csv' ? () => csvItems(file) : format === 'json' ? await readItems(file, format) : file;
  return withProgress(async (onProgress) => {
    const { jobId } = await client.ingest.bulk(name, source, { ...options, onProgress });
    tell(`rowpress: bulk load ${jobId}`);
    const { summary } = await client.ingest.wait(jobId, { warehouseId: options.warehouseId, onProgress });
    const results: ItemResult[] = [];
    if (needsAttention(summary) > 0)
      for await (const result of client.ingest.results(jobId, { warehouseId: options.warehouseId })) {
        if (isProblem(result)) results.push(result);
        if (results.length === LISTED_PROBLEMS) break;
      }
    return { job_id: jobId, summary, results };
  });
}

type Counts = { readonly rejected?: number; readonly quarantined?: number };
const countsOf = (summary: object): Required<Counts> => {
  const { rejected = 0, quarantined = 0 } = summary as Counts;
  return { rejected, quarantined };
};
const needsAttention = (summary: object): number =>
  countsOf(summary).rejected + countsOf(summary).quarantined;
const isProblem = ({ status }: ItemResult): boolean => status === 'REJECTED' || status === 'QUARANTINED';

function report(pushed: Pushed, { json, more }: PushFlags & { readonly more: object }): void {
  const { summary, job_id } = pushed;
  const { rejected, quarantined } = countsOf(summary);
  const problems = pushed.results.filter(isProblem).slice(0, LISTED_PROBLEMS);
  const message = `${rejected} ${rejected === 1 ? 'item was' : 'items were'} rejected.`;
  const failure = rejected === 0 ? {} : { code: 'ITEMS_REJECTED', message };
  if (rejected > 0) process.exitCode = exitOf('ITEMS_REJECTED');
  if (json) {
    printJson({
      ...failure,
      ...more,
      ...(job_id !== undefined && { job_id }),
      summary: wireOf(summary),
      problems: problems.map(wireOf),
    });
    return;
  }
  const counts = Object.entries(wireOf(summary)).map(([name, count]) => `${name} ${count}`);
  printLines([counts.join(', ')]);
  for (const { sourceId, status, reason, quarantineId } of problems)
    tell(
      `${sourceId ?? ''} ${status}: ${reason ?? ''}${quarantineId === undefined ? '' : ` (${quarantineId})`}`,
    );
  if (quarantined > 0)
    tell(
      'rowpress: quarantined items wait for missing references. Push those, then re-drive the quarantine.',
    );
  if (rejected > 0) tell(`rowpress: ${message} (ITEMS_REJECTED)`);
}
