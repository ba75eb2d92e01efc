import type { Overlay } from '#fill/package/layout-schema.ts';
import { isText } from '../../kinds/tools.ts';

/** Ascent and descent of the built-in faces in thousandths of the size, as their files say (hhea). */
const METRICS: Readonly<Record<string, { readonly ascent: number; readonly descent: number }>> = {
  sans: { ascent: 905, descent: 212 },
  serif: { ascent: 891, descent: 216 },
  mono: { ascent: 833, descent: 300 },
};
const OTHERS = { ascent: 905, descent: 212 };

export const metricsOf = (font: string) => METRICS[font] ?? OTHERS;

/**
 * Where the first baseline of a one-line text lies below the top of its box: the engine aligns the block from the first
 * line's ascent to the last one's descent (src/fill/draw/text/set-text.ts). Undefined for what has no baseline to align.
 */
export function baselineIn(overlay: Overlay): number | undefined {
  if (!isText(overlay) || overlay.rotation !== 0) return undefined;
  const { ascent, descent } = metricsOf(overlay.font);
  const [above, block] = [(ascent * overlay.size) / 1000, ((ascent + descent) * overlay.size) / 1000];
  if (overlay.valign === 'top') return above;
  const free = overlay.height - block;
  return (overlay.valign === 'middle' ? free / 2 : free) + above;
}
