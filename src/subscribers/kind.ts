import type { AnyJobKind } from '#engine/job-kind.ts';
import { exportKind } from './export/kind.ts';
import { importKind } from './import/kind.ts';
import type { SubscribersKindParts } from './parts.ts';

/** The job kinds of this surface. */
export function subscribersKinds(parts: SubscribersKindParts): readonly AnyJobKind[] {
  return [importKind(parts), exportKind(parts)];
}
