import type { Config } from '#config.ts';
import { readersAtOnce } from '#fill/node/reader-memory.ts';
import { StandbyReader } from '#fill/node/standby-reader.ts';
import { ByteBudget } from '#lib/byte-budget.ts';
import { FairTurnstile } from '#lib/fair-turnstile.ts';

/** The memory for requests, and the child processes that read uploads. */
export interface OpenReaders {
  readonly budget: ByteBudget;
  readonly line: FairTurnstile;
  readonly readers: StandbyReader;
  close(): Promise<void>;
}

export function openReaders(config: Config): OpenReaders {
  const readers = new StandbyReader();
  return {
    budget: new ByteBudget(config.memoryBudgetBytes),
    line: new FairTurnstile({
      // One more than there are workers: one account can use all workers, and one place is left for the others.
      size: readersAtOnce(config.workers + 1),
      maxWaitMs: config.lineWaitMs,
      maxWaiting: config.lineWaitingPerAccount,
    }),
    readers,
    close: async () => void (await readers.close()),
  };
}
