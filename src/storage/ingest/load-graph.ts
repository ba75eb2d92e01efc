import { sql } from 'kysely';
import type { Db } from '../database.ts';
import type { CollectionOf } from './find-items.ts';

export interface GraphEdges {
  readonly source_id: string;
  readonly node: string;
  readonly edges: readonly string[];
}

/** Everything reachable from the given nodes, for judging whether a new edge would close a circle. */
export async function loadGraph(
  db: Db,
  { partnerNo, collection }: CollectionOf,
  from: readonly string[],
): Promise<GraphEdges[]> {
  if (from.length === 0) return [];
  const { rows } = await sql<GraphEdges>`
    with recursive reached(node) as (
      select unnest(${from}::text[])
      union
      select e.edge from reached r
      join ingest_items i on i.partner_no = ${partnerNo} and i.collection = ${collection}
                         and i.graph_node = r.node collate "C" and i.active
      cross join lateral unnest(i.graph_edges) e(edge))
    select i.source_id, i.graph_node as node, i.graph_edges as edges
    from reached r join ingest_items i on i.partner_no = ${partnerNo} and i.collection = ${collection}
                                      and i.graph_node = r.node collate "C" and i.active`.execute(db);
  return rows;
}
