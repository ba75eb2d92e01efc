import { choiceGroupProblems } from '#fill/kinds/check/choice-group-problems.ts';
import { paddingProblem } from '#fill/kinds/text/padding.ts';
import type { Layout, Overlay } from '#fill/package/layout-schema.ts';
import { isCode, isSticker, isText } from '../../kinds/tools.ts';
import type { PageSizes } from '../arrange/align.ts';
import { boundsOf, boxesOverlap } from '../geometry/box.ts';
import { badges } from '../overlays/badges.ts';

/** A problem of the layout that will look or scan wrong in every row. */
export interface LayoutWarning {
  readonly kind:
    | 'overlap'
    | 'off-page'
    | 'quiet-zone'
    | 'page-missing'
    | 'code-invalid'
    | 'code-small'
    | 'picture-missing'
    | 'choice'
    | 'padding';
  readonly ids: readonly string[];
  readonly message: string;
}

/** Touching edges do not overlap. A point is about the thickness of a hairline with its antialiasing. */
const SLACK = 1;

export function layoutWarnings(layout: Layout, pages: PageSizes): LayoutWarning[] {
  const names = badges(layout);
  const name = ({ id }: Overlay) => names.get(id) ?? id;
  const warnings: LayoutWarning[] = [];
  warnings.push(...memberWarnings(layout, names));
  const byPage = Map.groupBy(layout.overlays, ({ page }) => page);
  for (const [page, overlays] of byPage) {
    const size = pages[page - 1];
    if (size === undefined) {
      for (const overlay of overlays)
        warnings.push({
          kind: 'page-missing',
          ids: [overlay.id],
          message: `${name(overlay)} is on page ${page}, which the PDF does not have.`,
        });
      continue;
    }
    for (const overlay of overlays) {
      const { x, y, width, height } = boundsOf(overlay);
      const out =
        x < -SLACK || y < -SLACK || x + width > size.width + SLACK || y + height > size.height + SLACK;
      if (out)
        warnings.push({
          kind: 'off-page',
          ids: [overlay.id],
          message: `${name(overlay)} extends beyond the edge of the page.`,
        });
    }
    // Stickers cover other content on purpose.
    const solid = overlays.filter((overlay) => !isSticker(overlay));
    solid.forEach((lower, index) => {
      for (const upper of solid.slice(index + 1)) {
        if (!boxesOverlap(lower, upper, SLACK)) continue;
        warnings.push(overlapWarning(lower, upper, name));
      }
    });
  }
  return warnings;
}

/** Mistakes that block saving: choice groups that contradict themselves, and padding without room for text. */
function memberWarnings(layout: Layout, names: ReadonlyMap<string, string>): LayoutWarning[] {
  const checks = layout.overlays.filter((overlay) => overlay.type === 'check');
  const choices = choiceGroupProblems(checks).map((problem) => ({ ...problem, kind: 'choice' as const }));
  const paddings = layout.overlays.flatMap((overlay) => {
    const problem = isText(overlay) ? paddingProblem(overlay) : undefined;
    return problem === undefined ? [] : [{ ...problem, id: overlay.id, kind: 'padding' as const }];
  });
  return [...choices, ...paddings].map(({ kind, id, message }) => ({
    kind,
    ids: [id],
    message: `${names.get(id) ?? id}: ${message}.`,
  }));
}

/** A code's box includes its quiet zone (ISO/IEC 18004 §5.3.8 and similar), so anything over it may prevent scanning. */
function overlapWarning(lower: Overlay, upper: Overlay, name: (overlay: Overlay) => string): LayoutWarning {
  const ids = [upper.id, lower.id];
  if (isCode(lower))
    return {
      kind: 'quiet-zone',
      ids,
      message: `${name(upper)} lies in the quiet zone of ${name(lower)}; it may not scan.`,
    };
  if (isCode(upper))
    return {
      kind: 'quiet-zone',
      ids,
      message: `${name(upper)} with its white margin covers ${name(lower)}.`,
    };
  return { kind: 'overlap', ids, message: `${name(upper)} overlaps ${name(lower)}.` };
}
