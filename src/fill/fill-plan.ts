import type { FillOptions } from './fill-options.ts';
import type { Layout } from './package/layout-schema.ts';

/** What is to be done to a source, whatever the rows: an opened package and the caller's options. */
export interface FillPlan {
  readonly layout: Layout;
  readonly assets: ReadonlyMap<string, Uint8Array>;
  readonly options: FillOptions;
}
