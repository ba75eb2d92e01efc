import { layoutProblems } from '../fill/layout-problems.ts';
import type { Layout, SourceMetadata } from '../fill/package/layout-schema.ts';

/** What `layout seal` warns of and `--strict` refuses, a line each. */
export async function layoutWarnings(
  layout: Layout,
  source: SourceMetadata,
  assets: ReadonlyMap<string, Uint8Array>,
): Promise<string[]> {
  const problems = await layoutProblems(layout, source, assets);
  return problems.map(({ kind, id, message }) => `${kind} ${id}: ${message}`);
}
