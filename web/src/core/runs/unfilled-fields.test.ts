import { expect, it } from 'vitest';
import { isUnmapped } from '../../data/match-columns.ts';
import { emptyLayout } from '../../project/project.ts';
import { addOverlays, newOverlay } from '../overlays/new-overlay.ts';
import { unfilledFields } from './unfilled-fields.ts';

const empty = emptyLayout('test');
const text = (id: string, value: object) => ({
  ...newOverlay(empty, 'text', { page: 1, x: 0, y: 0 }),
  id,
  value,
});
const layoutOf = (...overlays: object[]) => addOverlays(empty, overlays as typeof empty.overlays);

it('[EDT72] fields without a value: named, and whether any field reads a column', () => {
  const bound = text('Name', { column: 'column_0' });
  const fixed = text('Title', { static: 'Dr' });
  const blank = text('Town', { static: '' });
  expect(unfilledFields(layoutOf(bound, fixed), isUnmapped, 300)).toBeNull();
  expect(unfilledFields(layoutOf(bound, blank), isUnmapped, 300)).toEqual({
    ids: ['Town'],
    empty: ['Town'],
    samples: [],
    readsNoColumn: false,
  });
  const fresh = newOverlay(empty, 'text', { page: 1, x: 0, y: 0 });
  expect(unfilledFields(layoutOf(bound, fresh), isUnmapped, 300)).toMatchObject({
    ids: [fresh.id],
    empty: [],
    samples: ['Text'],
  });
  expect(unfilledFields(layoutOf(fixed), isUnmapped, 300)).toMatchObject({ ids: [], readsNoColumn: true });
  // One row is one document, so a fixed text is all that it needs.
  expect(unfilledFields(layoutOf(fixed), isUnmapped, 1)).toBeNull();
  const conditional = { ...fixed, show_if: { column: 'column_1', equals: 'x' } };
  expect(unfilledFields(layoutOf(conditional), isUnmapped, 300)).toBeNull();
});
