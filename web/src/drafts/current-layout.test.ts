import { expect, it } from 'vitest';
import { layoutSchema } from '#fill/package/layout-schema.ts';
import { addOverlays, newOverlay } from '../core/overlays/new-overlay.ts';
import { emptyLayout } from '../project/project.ts';
import { currentLayout } from './current-layout.ts';

const empty = emptyLayout('test');
const made = addOverlays(empty, [
  newOverlay(empty, 'text', { page: 1, x: 10, y: 10 }),
  newOverlay(empty, 'check', { page: 1, x: 10, y: 60 }),
]);

it('[EDT30] a draft from before padding existed: gets a padding of 0, as the layout schema would fill in', () => {
  const old = structuredClone(made);
  for (const overlay of old.overlays) Reflect.deleteProperty(overlay, 'padding');
  const current = currentLayout(old);
  expect(current).toEqual(layoutSchema.parse(old));
  expect(current.overlays[0]).toMatchObject({ padding: 0 });
});

it('[EDT30] a current draft: stays the same object', () => {
  expect(currentLayout(made)).toBe(made);
});
