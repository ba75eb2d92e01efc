import { z } from 'zod';
import { colorOf, frameOf } from '#fill/draw/frame.ts';
import type { OverlayKind } from '#fill/kinds/overlay-kind.ts';
import { colorSchema, placedMembers } from '#fill/kinds/overlay-members.ts';
import { valueSchema } from '#fill/package/value-schema.ts';
import { compileValue } from '#fill/values/resolve-value.ts';

/** An example overlay kind: a bar whose length is a percentage of its box. */
export const meterSchema = z
  .strictObject({
    ...placedMembers,
    type: z.literal('meter'),
    value: valueSchema,
    color: colorSchema.default('#00ff00'),
  })
  .meta({ id: 'meter_overlay' });

export const meterKind = {
  type: 'meter',
  traits: { defaults: {} },
  compile: (overlay) => {
    const read = compileValue(overlay.value);
    const [frame, color] = [frameOf(overlay), colorOf(overlay.color)];
    return (cells, row) => {
      const width = (overlay.width * Number(read(cells, row))) / 100;
      const { id: overlayId, height } = overlay;
      row.items.push({
        kind: 'shape',
        overlayId,
        frame,
        color,
        path: '0 0 1 1 re\n',
        x: 0,
        y: 0,
        width,
        height,
      });
      return null;
    };
  },
  faces: () => [{ font: 'mono', bold: false, italic: false }],
  staticProblem: ({ value }) =>
    'static' in value && Number.isNaN(Number(value.static))
      ? `${value.static} is not a percentage`
      : undefined,
} as const satisfies OverlayKind<z.infer<typeof meterSchema>>;
