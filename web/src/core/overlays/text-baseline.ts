import type { Overlay } from '#fill/package/layout-schema.ts';
import { isText } from '../../kinds/tools.ts';

/** Ascent and descent of the built-in fonts in thousandths of the size, from their hhea tables. */
const METRICS: Readonly<Record<string, { readonly ascent: number; readonly descent: number }>> = {
  sans: { ascent: 905, descent: 212 },
  serif: { ascent: 891, descent: 216 },
  mono: { ascent: 833, descent: 300 },
};
const OTHERS = { ascent: 905, descent: 212 };

export const metricsOf = (font: string) => METRICS[font] ?? OTHERS;

/**
 * Distance from the top of the box to the first baseline of a one-line text: the engine aligns the block from the first
 * line's ascent to the last line's descent (src/fill/draw/text/set-text.ts). Undefined if there is no baseline to align.
 */
export function baselineIn(overlay: Overlay): number | undefined {
  if (!isText(overlay) || overlay.rotation !== 0) return undefined;
  const { ascent, descent } = metricsOf(overlay.font);
  const [above, block] = [(ascent * overlay.size) / 1000, ((ascent + descent) * overlay.size) / 1000];
  const { padding } = overlay;
  if (overlay.valign === 'top') return padding + above;
  const free = overlay.height - block;
  return (overlay.valign === 'middle' ? free / 2 : free - padding) + above;
}
