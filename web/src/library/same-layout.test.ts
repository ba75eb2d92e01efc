import { expect, test } from 'vitest';
import { layoutSchema } from '#fill/package/layout-schema.ts';
import { emptyLayout } from '../project/project.ts';
import { sameLayout } from './same-layout.ts';

const overlay = { id: 'a', type: 'text', page: 1, x: 1, y: 2, width: 30, height: 10, value: { static: 'x' } };
const layout = (more: object) => layoutSchema.parse({ ...emptyLayout('one'), overlays: [overlay], ...more });

test('[EDT202] a layout after it was sealed: is the same, whatever its name and the order of its members', () => {
  const { format, ...rest } = layout({});
  expect(sameLayout(layout({}), { ...rest, name: 'two', format })).toBe(true);
});

test('[EDT202] a layout with a moved field: is another one', () => {
  expect(sameLayout(layout({}), layout({ overlays: [{ ...overlay, x: 2 }] }))).toBe(false);
});
