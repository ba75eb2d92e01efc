import { expect, it } from 'vitest';
import { showIfSchema } from '#fill/package/value-schema.ts';
import { conditionsOf, joinConditions, testOf, withTest, withText } from './show-if.ts';

it('a condition takes any test and stays valid', () => {
  const start = { column: 'column_0', equals: 'a, b' };
  for (const test of ['equals', 'not_equals', 'in', 'not_in', 'blank', 'filled'] as const) {
    const made = withTest(start, test);
    expect(testOf(made)).toBe(test);
    expect(showIfSchema.safeParse(made).success).toBe(true);
  }
  expect(withTest(start, 'in')).toEqual({ column: 'column_0', in: ['a', 'b'] });
  expect(withText({ column: 'column_1', not_in: ['x'] }, ' ')).toEqual({ column: 'column_1', not_in: [''] });
});

it('one condition stands alone, several are joined, none is none', () => {
  const a = { column: 'column_0', blank: true };
  expect(joinConditions([], 'any')).toBeUndefined();
  expect(joinConditions([a], 'any')).toEqual(a);
  expect(conditionsOf(joinConditions([a, a], 'any'))).toEqual({ conditions: [a, a], join: 'any' });
});
