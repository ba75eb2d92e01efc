import { LAYOUT_CAPS } from '#fill/package/layout-caps.ts';
import type { Layout, Overlay, ValueSource } from '#fill/package/layout-schema.ts';
import type { Rect } from '../geometry/rect.ts';
import { newId } from '../overlays/badges.ts';
import { addOverlays, newOverlay } from '../overlays/new-overlay.ts';
import type { Proposal } from './proposal.ts';

/** A proposal as it was reviewed: the name may have been edited, and the column is the one that fills it. */
export interface ReviewedProposal {
  readonly proposal: Proposal;
  readonly name: string;
  readonly column: string | null;
}

const TALL = 27; // from this height on, a box has room for two lines
const LARGEST = 11;
const SMALLEST = 5;
const LOW = 13; // a lower box has half the padding

/** Adds the fields of reviewed proposals. Returns how many overlays exceed the limit of a layout. */
export function addProposed(
  layout: Layout,
  reviewed: readonly ReviewedProposal[],
): { readonly layout: Layout; readonly ids: readonly string[]; readonly leftOut: number } {
  let next = layout;
  const ids: string[] = [];
  let leftOut = 0;
  for (const one of reviewed) {
    const overlays = overlaysOf(next, one);
    if (next.overlays.length + overlays.length > LAYOUT_CAPS.overlays) {
      leftOut += overlays.length;
      continue;
    }
    next = addOverlays(next, overlays);
    ids.push(...overlays.map(({ id }) => id));
  }
  return { layout: next, ids, leftOut };
}

function overlaysOf(layout: Layout, { proposal, name, column }: ReviewedProposal): Overlay[] {
  const value: ValueSource = column === null ? { static: '' } : { column };
  const { page } = proposal;
  if (proposal.kind === 'choice') {
    const group = freeName(name === '' ? 'Choice' : name, groupsOf(layout));
    let known = layout;
    return proposal.options.map(({ rect, label }) => {
      const mark = placed(known, 'check', page, rect, value, `${group}: ${label}`);
      const overlay = { ...mark, on_value: label, group } as Overlay;
      known = addOverlays(known, [overlay]);
      return overlay;
    });
  }
  if (proposal.kind === 'check') return [placed(layout, 'check', page, proposal.rect, value, name)];
  const text = placed(layout, 'text', page, proposal.rect, value, name);
  const cells = proposal.kind === 'comb' ? proposal.cells : undefined;
  return [{ ...text, ...typesetting(proposal.rect, cells) } as Overlay];
}

/** A new overlay with the default look: the last field of the layout may be a heading. */
function placed(
  layout: Layout,
  kind: 'text' | 'check',
  page: number,
  rect: Rect,
  value: ValueSource,
  name: string,
): Overlay {
  const bare = { ...layout, overlays: [] };
  const overlay = newOverlay(bare, kind, { page, x: rect.x, y: rect.y }, { size: rect, value });
  const ids = new Set([...layout.overlays, ...layout.form_fields].map(({ id }) => id));
  return { ...overlay, id: name === '' ? newId(layout, kind) : freeName(name, ids) };
}

/** Type that fits the box: one line that may shrink, several lines from the top, or one character per cell. */
function typesetting({ width, height }: Rect, cells: number | undefined): object {
  const padding = height < LOW ? 1 : 2;
  const room = height - 2 * padding;
  const tallest = cells === undefined ? room / 1.2 : Math.min(room / 1.2, (1.2 * width) / cells);
  const isTall = cells === undefined && height >= TALL;
  const size = Math.max(SMALLEST, Math.min(LARGEST, Math.floor(2 * tallest) / 2));
  return {
    padding,
    size,
    wrap: isTall,
    valign: isTall ? 'top' : 'middle',
    ...(cells === undefined ? {} : { comb: cells }),
  };
}

const groupsOf = ({ overlays }: Layout) =>
  new Set(overlays.flatMap((overlay) => ('group' in overlay && overlay.group ? [overlay.group] : [])));

const LONGEST = 90; // an id has at most 100 characters

function freeName(name: string, taken: ReadonlySet<string>): string {
  const stem = name.slice(0, LONGEST).trim();
  let free = stem;
  for (let count = 2; taken.has(free); count += 1) free = `${stem} ${count}`;
  return free;
}
