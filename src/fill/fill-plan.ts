import type { FillOptions } from './fill-options.ts';
import type { Layout } from './package/layout-schema.ts';

/** What a run does to a source: an opened package and the caller's options. It does not depend on the rows. */
export interface FillPlan {
  readonly layout: Layout;
  readonly assets: ReadonlyMap<string, Uint8Array>;
  readonly options: FillOptions;
}
