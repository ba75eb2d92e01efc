import { sectionOf } from '../changelog.ts';
import type { BreakingChange } from './document-changes.ts';

/** Returns the changes whose operation the changelog does not name below "Unreleased" / "Breaking". */
export function undeclaredChanges(
  changes: readonly BreakingChange[],
  changelog: string,
): readonly BreakingChange[] {
  const unreleased = sectionOf(changelog) ?? '';
  const [, after = ''] = unreleased.split(/^### Breaking$/m);
  const [breaking = ''] = after.split(/^### /m);
  return changes.filter(({ subject }) => !breaking.includes(`\`${subject}\``));
}
