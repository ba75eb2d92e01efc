import type { AnyJobKind } from '#engine/job-kind.ts';
import { loadKind } from './loads/kind.ts';
import type { IngestKindParts } from './parts.ts';

/** The job kinds of this surface. */
export function ingestKinds(parts: IngestKindParts): readonly AnyJobKind[] {
  return [loadKind(parts)];
}
