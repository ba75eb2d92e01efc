import type { RowSource, SelectedRows } from '#surface.ts';

/** The rows of a stored selection: cells by column key, batch by batch. */
export type SelectedCells = AsyncIterable<readonly Readonly<Record<string, string>>[]>;

/**
 * Finds the rows that `rows_from` names: `<source>:<selection>`, for instance a list of people or a collection of
 * items. The sources are the surfaces that provide rows, by name.
 */
export class RowSources {
  readonly #sources: ReadonlyMap<string, RowSource>;

  constructor(sources: ReadonlyMap<string, RowSource>) {
    this.#sources = sources;
  }

  /** Returns the source at the start of `name`; undefined if there is no such source. */
  sourceOf(name: string): string | undefined {
    const at = name.indexOf(':');
    const source = at === -1 ? undefined : name.slice(0, at);
    return source !== undefined && this.#sources.has(source) ? source : undefined;
  }

  async find(accountId: string, name: string): Promise<SelectedCells | undefined> {
    const source = this.sourceOf(name);
    if (source === undefined) return undefined;
    const rows = await this.#sources.get(source)?.(accountId, name.slice(source.length + 1));
    return rows === undefined ? undefined : byPosition(rows);
  }
}

async function* byPosition(batches: SelectedRows): SelectedCells {
  for await (const batch of batches)
    yield batch.map((cells) => Object.fromEntries(cells.map((cell, i) => [`column_${i}`, cell])));
}
