import type { MemberProblem } from '../overlay-kind.ts';
import type { CheckOverlay } from './schema.ts';

/** Mistakes of choice groups: marks with different value sources, without a value of their own, or with the value of another mark. */
export function choiceGroupProblems(
  checks: readonly CheckOverlay[],
): (MemberProblem & { readonly id: string })[] {
  const problems: (MemberProblem & { readonly id: string })[] = [];
  for (const [group, marks] of Map.groupBy(checks, (check) => check.group)) {
    if (group === undefined) continue;
    const source = JSON.stringify(marks[0]?.value);
    const taken = new Set<string>();
    for (const { id, value, on_value } of marks) {
      const add = (member: string, message: string) => problems.push({ id, member, message });
      if (JSON.stringify(value) !== source)
        add('value', `all boxes of the choice group ${group} must read the same value`);
      if (on_value === undefined || on_value.trim() === '')
        add('on_value', `this box of the choice group ${group} has no value that ticks it`);
      else if (taken.has(on_value))
        add(
          'on_value',
          `another box of the choice group ${group} is ticked by ${JSON.stringify(on_value)} too`,
        );
      if (on_value !== undefined) taken.add(on_value);
    }
  }
  return problems;
}
