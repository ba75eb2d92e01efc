import type { Condition, ShowIf } from '#fill/package/layout-schema.ts';

/** Converts a show-if to an editable list, and back. */
export type Test = 'equals' | 'not_equals' | 'in' | 'not_in' | 'blank' | 'filled';
export type Join = 'all' | 'any';

export function conditionsOf(showIf: ShowIf | undefined): {
  readonly conditions: readonly Condition[];
  readonly join: Join;
} {
  if (showIf === undefined) return { conditions: [], join: 'all' };
  if ('all' in showIf) return { conditions: showIf.all, join: 'all' };
  return 'any' in showIf ? { conditions: showIf.any, join: 'any' } : { conditions: [showIf], join: 'all' };
}

/** A single condition is written without a list, as a person would write it. */
export function joinConditions(conditions: readonly Condition[], join: Join): ShowIf | undefined {
  const [only] = conditions;
  if (only === undefined) return undefined;
  if (conditions.length === 1) return only;
  return join === 'all' ? { all: [...conditions] } : { any: [...conditions] };
}

export function testOf(condition: Condition): Test {
  if (condition.blank !== undefined) return condition.blank ? 'blank' : 'filled';
  if (condition.equals !== undefined) return 'equals';
  if (condition.not_equals !== undefined) return 'not_equals';
  return condition.in !== undefined ? 'in' : 'not_in';
}

export function listText(condition: Condition): string {
  return condition.equals ?? condition.not_equals ?? (condition.in ?? condition.not_in ?? []).join(', ');
}

export function withTest(condition: Condition, test: Test): Condition {
  const { column } = condition;
  const text = listText(condition);
  if (test === 'blank' || test === 'filled') return { column, blank: test === 'blank' };
  return test === 'in' || test === 'not_in' ? { column, [test]: splitList(text) } : { column, [test]: text };
}

export function withText(condition: Condition, text: string): Condition {
  const test = testOf(condition);
  if (test === 'blank' || test === 'filled') return condition;
  const { column } = condition;
  return test === 'in' || test === 'not_in' ? { column, [test]: splitList(text) } : { column, [test]: text };
}

/** At least one entry, because the schema requires one. */
function splitList(text: string): string[] {
  const parts = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  return parts.length === 0 ? [text.trim()] : parts;
}
