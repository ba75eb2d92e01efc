import type { Config } from '#config.ts';
import { readersAtOnce } from '#fill/node/reader-memory.ts';
import { StandbyReader } from '#fill/node/standby-reader.ts';
import { ByteBudget } from '#lib/byte-budget.ts';
import { FairTurnstile } from '#lib/fair-turnstile.ts';
import { OwnMemory } from '#lib/own-memory.ts';

/** The memory for requests, and the child processes that read uploads. */
export interface OpenReaders {
  readonly budget: ByteBudget;
  readonly line: FairTurnstile;
  readonly readers: StandbyReader;
  close(): Promise<void>;
}

/** Longer than the pauses of somebody who works in the editor or sends one request after the other. */
const KEEP_READER_MS = 60_000;

export function openReaders(config: Config): OpenReaders {
  const readers = new StandbyReader({ keepMs: KEEP_READER_MS });
  const memory = new OwnMemory();
  const unwatch = memory.watch();
  return {
    budget: new ByteBudget(config.memoryBudgetBytes, undefined, memory),
    line: new FairTurnstile({
      // One more than there are workers: one account can use all workers, and one place is left for the others.
      size: readersAtOnce(config.workers + 1),
      maxWaitMs: config.lineWaitMs,
      maxWaiting: config.lineWaitingPerAccount,
    }),
    readers,
    close: async () => {
      unwatch();
      await readers.close();
    },
  };
}
