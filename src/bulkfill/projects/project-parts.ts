import type { PackageSealer } from '#console/packages/package-sealer.ts';
import type { CreateParts } from '../create/create-parts.ts';

/** The dependencies of the routes of projects. */
export interface ProjectParts extends CreateParts {
  readonly sealer: PackageSealer;
}
