import { describe, expect, it } from 'vitest';
import type { Layout } from '#fill/package/layout-schema.ts';
import { boundsOf } from '../../core/geometry/box.ts';
import { type RulerGuide, targetsOfGuides } from '../../core/guides/ruler-guides.ts';
import { overlaysOn } from '../../core/overlays/find-overlays.ts';
import { addOverlays, newOverlay } from '../../core/overlays/new-overlay.ts';
import { NO_SAMPLES } from '../../core/overlays/new-table.ts';
import type { MarkLine, PageMarks } from '../../core/page-content/read-marks.ts';
import { placePages } from '../../core/pages/page-column.ts';
import { isTickBox, printedBoxAt, printedBoxNear } from '../../core/snapping/printed-boxes.ts';
import { joinTargets, targetsOfBoxes, targetsOfPrintedBox } from '../../core/snapping/snap-lines.ts';
import { emptyLayout } from '../../project/project.ts';
import type { Tool } from '../canvas-store.ts';
import type { Gesture, GestureHost, Pointer, Target } from './gesture.ts';
import { idle } from './idle.ts';

/** An editor without a screen: pages of 600 × 800 points below each other, one pixel per point. */
function scene() {
  const column = placePages([
    { width: 600, height: 800 },
    { width: 600, height: 800 },
  ]);
  const [page1] = column.pages;
  if (page1 === undefined) throw new Error('no page');
  let layout: Layout = emptyLayout('test');
  for (const [x, y] of [
    [100, 100],
    [300, 100],
    [100, 300],
  ] as const)
    layout = addOverlays(layout, [
      newOverlay(layout, 'text', { page: 1, x, y }, { size: { width: 80, height: 20 } }),
    ]);
  const state = {
    layout,
    shown: layout,
    selection: [] as readonly string[],
    labels: [] as string[],
    locked: new Set<string>(),
    tool: 'select' as Tool,
    guides: 0,
    marquee: false,
    rulerGuides: [] as readonly RulerGuide[],
    printed: { width: 600, height: 800, lines: [], shapes: [], glyphs: [] } as PageMarks,
    scrolled: { x: 0, y: 0 },
  };
  const host: GestureHost = {
    layout: () => state.layout,
    selection: () => state.selection,
    isLocked: (id) => state.locked.has(id),
    column: () => column,
    scale: () => 1,
    tool: () => state.tool,
    snapTargets: (page, moving) =>
      targetsOfBoxes(
        overlaysOn(state.layout, page)
          .filter(({ id }) => !moving.includes(id))
          .map(boundsOf),
      ),
    preferredTargets: (number, point, centreOnly = false) =>
      joinTargets(
        targetsOfGuides(state.rulerGuides, { number, width: 600, height: 800 }),
        targetsOfPrintedBox(printedBoxAt(state.printed, point), centreOnly),
      ),
    guides: () => state.rulerGuides,
    setGuides: (next) => {
      state.rulerGuides = next;
    },
    unit: () => 'pt',
    isOverRuler: ({ x, y }) => x < 10 || y < 10,
    focusGuide: () => {},
    rowSamples: () => NO_SAMPLES,
    tickBox: (_page, point, slack) => printedBoxNear(state.printed, point, slack, isTickBox),
    select: (ids) => {
      state.selection = ids;
    },
    draft: (next) => {
      state.shown = next ?? state.layout;
    },
    change: (label, update, selection) => {
      const next = update(state.layout);
      if (next !== state.layout) state.labels.push(label);
      state.layout = next;
      state.shown = next;
      state.selection = selection ?? state.selection;
    },
    showGuides: (_page, guides) => {
      state.guides = guides.length;
    },
    showMarquee: (marquee) => {
      state.marquee = marquee !== null;
    },
    scrollBy: ({ x, y }) => {
      state.scrolled = { x: state.scrolled.x + x, y: state.scrolled.y + y };
    },
    finishTool: () => {
      state.tool = 'select';
    },
    focusOverlay: () => {},
  };
  let gesture: Gesture = idle(host);
  /** In points of page 1. */
  const at = (x: number, y: number, keys: Partial<Pointer> = {}): Pointer => {
    const place = { x: x + page1.x, y: y + page1.y };
    return { at: place, client: place, shift: false, alt: false, pans: false, ...keys };
  };
  return {
    state,
    column,
    find: (id: string) => state.shown.overlays.find((overlay) => overlay.id === id),
    down: (x: number, y: number, target: Target, keys?: Partial<Pointer>) => {
      gesture = gesture.down?.(at(x, y, keys), target) ?? gesture;
    },
    move: (x: number, y: number, keys?: Partial<Pointer>) => {
      gesture = gesture.move?.(at(x, y, keys)) ?? gesture;
    },
    up: (x: number, y: number, keys?: Partial<Pointer>) => {
      gesture = gesture.up?.(at(x, y, keys)) ?? gesture;
    },
    cancel: () => {
      gesture = gesture.cancel();
    },
    name: () => gesture.name,
  };
}

/** A square box of four lines of one point. */
const printedBox = (x: number, y: number, side: number): MarkLine[] => [
  { axis: 'h', at: y, from: x, to: x + side, thickness: 1 },
  { axis: 'h', at: y + side, from: x, to: x + side, thickness: 1 },
  { axis: 'v', at: x, from: y, to: y + side, thickness: 1 },
  { axis: 'v', at: x + side, from: y, to: y + side, thickness: 1 },
];

const overlay = (id: string): Target => ({ on: 'overlay', id });

describe('pressing and moving', () => {
  it('a click selects, with Shift adds and takes out, and changes nothing', () => {
    const { down, up, state } = scene();
    down(110, 110, overlay('text_1'));
    up(110, 110);
    down(310, 110, overlay('text_2'), { shift: true });
    up(310, 110, { shift: true });
    expect(state.selection).toEqual(['text_1', 'text_2']);
    down(110, 110, overlay('text_1'), { shift: true });
    up(110, 110, { shift: true });
    expect(state.selection).toEqual(['text_2']);
    expect(state.labels).toEqual([]);
  });

  it('a drag of one of several moves all, as one entry; Escape forgets it', () => {
    const { down, move, up, cancel, find, state } = scene();
    state.selection = ['text_1', 'text_2'];
    down(110, 110, overlay('text_1'));
    move(150, 180, { alt: true });
    expect(find('text_2')).toMatchObject({ x: 340, y: 170 });
    cancel();
    expect(find('text_2')).toMatchObject({ x: 300, y: 100 });
    down(110, 110, overlay('text_1'));
    move(150, 180, { alt: true });
    up(150, 180, { alt: true });
    expect(state.labels).toEqual(['Move 2 fields']);
    expect(state.layout.overlays.map(({ x, y }) => [x, y])).toEqual([
      [140, 170],
      [340, 170],
      [100, 300],
    ]);
  });

  it('rests on guides unless Alt is down, keeps to an axis with Shift', () => {
    const { down, move, find, state } = scene();
    down(110, 310, overlay('text_3'));
    move(312, 400); // its left edge would be at 302
    expect(find('text_3')).toMatchObject({ x: 300, y: 390 });
    expect(state.guides).toBeGreaterThan(0);
    move(312, 400, { alt: true });
    expect(find('text_3')).toMatchObject({ x: 302, y: 390 });
    move(312, 350, { shift: true, alt: true });
    expect(find('text_3')).toMatchObject({ x: 302, y: 300 });
  });

  it('[EDT102] over a printed box: rests on its lines even if another field is nearer', () => {
    const { down, move, find, state } = scene();
    state.printed = { ...state.printed, lines: printedBox(305, 350, 120) };
    down(110, 310, overlay('text_3'));
    move(312, 400); // its left edge would be at 302, two points from text_2 and 3.5 from the inside of the box
    expect(find('text_3')).toMatchObject({ x: 305.5, y: 390 });
    move(312, 600); // below the box
    expect(find('text_3')).toMatchObject({ x: 300 });
  });

  it('goes to the page under the pointer, in that page’s coordinates', () => {
    const { down, move, up, state, column } = scene();
    const drop = (column.pages[1]?.y ?? 0) - (column.pages[0]?.y ?? 0);
    down(110, 110, overlay('text_1'));
    move(110, drop + 60, { alt: true });
    up(110, drop + 60);
    expect(state.layout.overlays[0]).toMatchObject({ page: 2, x: 100, y: 50 });
  });

  it('leaves locked ones where they are', () => {
    const { down, move, up, state } = scene();
    state.locked.add('text_1');
    down(110, 110, overlay('text_1'));
    move(200, 200);
    up(200, 200);
    expect(state.labels).toEqual([]);
    expect(state.selection).toEqual(['text_1']);
  });
});

it('resizing moves the gripped edges only; Shift keeps the proportions', () => {
  const { down, move, up, find, state } = scene();
  state.selection = ['text_1'];
  down(180, 120, { on: 'handle', handle: 'se' });
  move(220, 140, { alt: true });
  expect(find('text_1')).toMatchObject({ x: 100, y: 100, width: 120, height: 40 });
  move(220, 121, { shift: true });
  expect(find('text_1')).toMatchObject({ width: 120, height: 30 });
  up(220, 121);
  expect(state.labels).toEqual(['Resize F·1']);
});

it('rotating turns about the centre', () => {
  const { down, move, up, state } = scene();
  state.selection = ['text_1'];
  down(140, 80, { on: 'handle', handle: 'rotate' });
  move(240, 111);
  up(240, 111);
  expect(state.layout.overlays[0]).toMatchObject({ rotation: 90, x: 100, y: 100 });
  expect(state.labels).toEqual(['Rotate F·1']);
});

it('a marquee selects what it touches; a click beside everything selects nothing', () => {
  const { down, move, up, state } = scene();
  down(90, 90, { on: 'page', page: 1 });
  move(320, 130);
  expect(state.marquee).toBe(true);
  up(320, 130);
  expect(state.selection).toEqual(['text_1', 'text_2']);
  expect(state.marquee).toBe(false);
  down(500, 500, { on: 'page', page: 1 });
  up(500, 500);
  expect(state.selection).toEqual([]);
});

describe('guides', () => {
  it('[EDT104] a drag from a ruler: adds a guide; a drag moves it; back to the ruler, it is removed', () => {
    const { down, move, up, cancel, state } = scene();
    down(200, 0, { on: 'ruler', axis: 'y' });
    move(200, 250.4);
    up(200, 250.4);
    expect(state.rulerGuides).toEqual([{ page: 1, axis: 'y', at: 250 }]);
    down(200, 250, { on: 'guide', index: 0 });
    move(200, 300);
    cancel();
    expect(state.rulerGuides).toEqual([{ page: 1, axis: 'y', at: 250 }]);
    down(200, 250, { on: 'guide', index: 0 });
    move(200, 300);
    up(200, 300);
    expect(state.rulerGuides).toEqual([{ page: 1, axis: 'y', at: 300 }]);
    down(200, 300, { on: 'guide', index: 0 });
    move(200, -25);
    up(200, -25);
    expect(state.rulerGuides).toEqual([]);
    down(0, 200, { on: 'ruler', axis: 'x' });
    up(0, 200);
    expect(state.rulerGuides).toEqual([]);
    expect(state.labels).toEqual([]); // not a change of the layout
  });

  it('[EDT104] a dragged field: rests on a guide even if another field is nearer', () => {
    const { down, move, find, state } = scene();
    state.rulerGuides = [{ page: 1, axis: 'x', at: 306 }];
    down(110, 310, overlay('text_3'));
    move(312, 400); // its left edge would be at 302
    expect(find('text_3')).toMatchObject({ x: 306 });
  });
});

describe('placing', () => {
  it('a click gives the usual size, a drag its own; the tool is put away', () => {
    const { down, move, up, state } = scene();
    state.tool = 'qr';
    down(400, 400, { on: 'page', page: 1 });
    up(400, 400);
    expect(state.layout.overlays.at(-1)).toMatchObject({ type: 'qr', x: 400, y: 400, width: 90, height: 90 });
    expect(state.tool).toBe('select');
    state.tool = 'text';
    down(400, 600, { on: 'page', page: 1 }, { alt: true });
    move(350, 650, { alt: true });
    up(350, 650, { alt: true });
    expect(state.layout.overlays.at(-1)).toMatchObject({
      id: 'text_4',
      x: 350,
      y: 600,
      width: 50,
      height: 50,
    });
    expect(state.selection).toEqual(['text_4']);
    expect(state.labels).toEqual(['Add qr code', 'Add text']);
  });

  it('[EDT101] the check tool on a printed box: a click takes the box; Alt or a large box do not', () => {
    const { down, up, state } = scene();
    state.printed = { ...state.printed, lines: [...printedBox(400, 400, 10), ...printedBox(300, 500, 90)] };
    const click = (x: number, y: number, keys?: Partial<Pointer>) => {
      state.tool = 'check';
      down(x, y, { on: 'page', page: 1 }, keys);
      up(x, y, keys);
      return state.layout.overlays.at(-1);
    };
    expect(click(408, 402)).toMatchObject({ type: 'check', x: 400.5, y: 400.5, width: 9, height: 9 });
    expect(click(398, 405)).toMatchObject({ x: 400.5, width: 9 }); // just beside it
    expect(click(404, 404, { alt: true })).toMatchObject({ x: 404, y: 404 });
    expect(click(350, 550, { alt: true })).toMatchObject({ x: 350, y: 550 });
  });

  it('beside the page nothing begins', () => {
    const { down, name, state } = scene();
    state.tool = 'text';
    down(-20, 10, { on: 'desk' });
    expect(name()).toBe('idle');
  });
});

it('panning scrolls by what the hand moves', () => {
  const { down, move, up, state } = scene();
  down(10, 10, overlay('text_1'), { pans: true });
  move(30, 5);
  up(30, 5);
  expect(state.scrolled).toEqual({ x: -20, y: 5 });
  expect(state.selection).toEqual([]);
});
