import type { Blobs } from '#engine/blobs.ts';
import type { Engine } from '#engine/engine.ts';
import type { ByteBudget } from '#lib/byte-budget.ts';
import type { Clock } from '#lib/clock.ts';
import type { Ids } from '#lib/ids.ts';
import type { Db } from '#storage/database.ts';
import type { HandOff } from './artifact/hand-off.ts';
import type { Templates } from './templates.ts';

/** The dependencies of the routes. */
export interface BulkfillParts {
  readonly engine: Engine;
  readonly db: Db;
  readonly blobs: Blobs;
  readonly templates: Templates;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly handOff: HandOff;
  /** Memory budget of the requests. */
  readonly budget: ByteBudget;
}
