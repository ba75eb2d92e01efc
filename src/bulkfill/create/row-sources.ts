/** A stored selection of rows, as another surface hands it over: cells by column key, batch by batch. */
export type SelectedRows = AsyncIterable<readonly Readonly<Record<string, string>>[]>;

/** How one surface finds its selections; undefined when the account has no such selection. */
export type FindSelection = (accountId: string, selection: string) => Promise<SelectedRows | undefined>;

/**
 * What `rows_from` may name: `<source>:<selection>`, for instance a list of subscribers or an ingest collection.
 * Surfaces that keep rows register here, in the composition root; this surface knows none of them.
 */
export class RowSources {
  readonly #sources: ReadonlyMap<string, FindSelection>;

  constructor(sources: Readonly<Record<string, FindSelection>>) {
    this.#sources = new Map(Object.entries(sources));
  }

  async find(accountId: string, name: string): Promise<SelectedRows | undefined> {
    const at = name.indexOf(':');
    const source = at === -1 ? undefined : this.#sources.get(name.slice(0, at));
    return source?.(accountId, name.slice(at + 1));
  }
}
