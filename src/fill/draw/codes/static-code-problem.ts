import type { ValueSource } from '#fill/package/value-schema.ts';
import type { PlaceOverlay, RowContext } from '../place-overlay.ts';

/** Encodes a static value once, as a row would, and returns the reason why it cannot be encoded. */
export async function staticCodeProblem(
  value: ValueSource,
  compile: () => PlaceOverlay | Promise<PlaceOverlay>,
): Promise<string | undefined> {
  if (!('static' in value)) return undefined;
  const place = await compile();
  return place(new Map(), NO_DRAWING)?.message;
}

/** Codes use neither fonts nor images; the members that they do use have no effect here. */
const NO_DRAWING = { items: [], spend: () => undefined, note: () => undefined } as unknown as RowContext;
