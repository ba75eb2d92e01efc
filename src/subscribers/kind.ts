import type { AnyJobKind } from '#engine/job-kind.ts';
import { exportKind } from './export/kind.ts';
import { importKind } from './import/kind.ts';
import type { SubscribersKindParts } from './parts.ts';

/** The work that the engine does for this surface. */
export function subscribersKinds(parts: SubscribersKindParts): readonly AnyJobKind[] {
  return [importKind(parts), exportKind(parts)];
}
