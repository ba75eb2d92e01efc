import { describe, expect, it } from 'vitest';
import type { Layout, Overlay } from '#fill/package/layout-schema.ts';
import { emptyLayout } from '../../project/project.ts';
import { addBox, groupAsChoices, groupMates, renameGroup, ungroup, wholeGroup } from './choice-groups.ts';
import { duplicate } from './copies.ts';
import { findOverlays } from './find-overlays.ts';
import { addOverlays, newOverlay } from './new-overlay.ts';
import { removeOverlays } from './patch-overlays.ts';

const empty = { ...emptyLayout('test'), columns: [{ key: 'column_0', label: 'Status' }] };

function withChecks(...onValues: (string | undefined)[]): Layout {
  let layout: Layout = empty;
  onValues.forEach((on_value, index) => {
    const made = newOverlay(layout, 'check', { page: 1, x: 20 + 30 * index, y: 50 });
    const value = index === 1 ? { column: 'column_0' } : made.value;
    layout = addOverlays(layout, [{ ...made, value, ...(on_value && { on_value }) } as Overlay]);
  });
  return layout;
}

const ids = (layout: Layout) => layout.overlays.map(({ id }) => id);
const onValues = (layout: Layout) =>
  layout.overlays.map((overlay) => (overlay.type === 'check' ? overlay.on_value : undefined));

describe('choice groups', () => {
  const marks = withChecks('single', 'married', 'married');
  const grouped = groupAsChoices(marks, ids(marks));

  it('[EDT33] several marks grouped as choices: one column, one group named after it, distinct values', () => {
    expect(grouped.overlays).toMatchObject([
      { group: 'Status', value: { column: 'column_0' }, on_value: 'single' },
      { group: 'Status', value: { column: 'column_0' }, on_value: 'married' },
      { group: 'Status', value: { column: 'column_0' } },
    ]);
    expect(grouped.overlays[2]).not.toHaveProperty('on_value');
  });

  it('[EDT39] one box: its mates are the whole group, and only the whole group counts as selected', () => {
    expect(groupMates(grouped, 'check_2')).toEqual(['check_1', 'check_2', 'check_3']);
    expect(groupMates(marks, 'check_2')).toEqual(['check_2']);
    expect(wholeGroup(grouped, grouped.overlays)).toBe('Status');
    expect(wholeGroup(grouped, grouped.overlays.slice(0, 2))).toBeUndefined();
    expect(wholeGroup(marks, marks.overlays)).toBeUndefined();
  });

  it('[EDT33] an added box: continues the line with its own value; a removed one leaves the rest', () => {
    const added = addBox(grouped, 'Status', 'widowed');
    expect(added?.layout.overlays.at(-1)).toMatchObject({
      id: 'check_4',
      group: 'Status',
      on_value: 'widowed',
      value: { column: 'column_0' },
      x: 110,
      y: 50,
    });
    expect(groupMates(removeOverlays(grouped, ['check_1']), 'check_2')).toEqual(['check_2', 'check_3']);
  });

  it('[EDT33] an ungrouped or renamed group: keeps the values of its boxes', () => {
    const apart = ungroup(grouped, ids(grouped));
    expect(apart.overlays.every((overlay) => !('group' in overlay))).toBe(true);
    expect(onValues(apart)).toEqual(['single', 'married', undefined]);
    expect(groupMates(renameGroup(grouped, 'Status', 'Family'), 'check_1')).toHaveLength(3);
  });

  it('[EDT33] a copied group: a new group; a copied box: a further box without a value', () => {
    const twice = duplicate(grouped, grouped.overlays).layout;
    expect(groupMates(twice, 'check_4')).toEqual(['check_4', 'check_5', 'check_6']);
    expect(twice.overlays[3]).toMatchObject({ group: 'Status 2', on_value: 'single' });
    const one = duplicate(grouped, findOverlays(grouped, ['check_1'])).layout;
    expect(groupMates(one, 'check_4')).toHaveLength(4);
    expect(onValues(one).at(-1)).toBeUndefined();
  });

  it('[EDT33] a mark placed after a group: is in no group and has no value of its own', () => {
    const next = newOverlay(grouped, 'check', { page: 1, x: 0, y: 0 });
    expect(next).not.toHaveProperty('group');
    expect(next).not.toHaveProperty('on_value');
  });
});
