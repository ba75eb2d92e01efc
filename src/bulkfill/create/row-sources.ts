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

  /** The source that `name` begins with; undefined if there is none of that name. */
  sourceOf(name: string): string | undefined {
    const at = name.indexOf(':');
    const source = at === -1 ? undefined : name.slice(0, at);
    return source !== undefined && this.#sources.has(source) ? source : undefined;
  }

  async find(accountId: string, name: string): Promise<SelectedRows | undefined> {
    const source = this.sourceOf(name);
    if (source === undefined) return undefined;
    return this.#sources.get(source)?.(accountId, name.slice(source.length + 1));
  }
}
