import type { GraphEdges } from '#storage/ingest/loads.ts';
import type { PreparedItem } from './prepare-items.ts';

/** The containment graph: stored edges, overlaid with those that this batch has accepted so far. */
export class Circles {
  readonly #bySource = new Map<string, { node: string; edges: readonly string[] }>();
  readonly #byNode = new Map<string, Set<string>>();

  constructor(stored: readonly GraphEdges[]) {
    for (const { source_id, node, edges } of stored) this.#put(source_id, node, edges);
  }

  accept(item: PreparedItem): void {
    if (item.graph !== null) this.#put(item.sourceId, item.graph.node, item.graph.edges);
  }

  /** Whether the item, in place of its stored version, would contain itself. */
  wouldClose(item: PreparedItem): boolean {
    if (item.graph === null) return false;
    const { node } = item.graph;
    const seen = new Set<string>();
    const open = [...item.graph.edges];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (next === node) return true;
      if (seen.has(next)) continue;
      seen.add(next);
      for (const source of this.#byNode.get(next) ?? []) {
        if (source !== item.sourceId) open.push(...(this.#bySource.get(source)?.edges ?? []));
      }
    }
    return false;
  }

  #put(source: string, node: string, edges: readonly string[]): void {
    const before = this.#bySource.get(source);
    if (before !== undefined) this.#byNode.get(before.node)?.delete(source);
    this.#bySource.set(source, { node, edges });
    const sources = this.#byNode.get(node) ?? new Set();
    this.#byNode.set(node, sources.add(source));
  }
}
