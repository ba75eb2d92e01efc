import type { Point } from '../core/geometry/rect.ts';
import { HANDLES, type Handle } from '../core/transform/resize.ts';
import { useEditor } from '../editor/editor-store.ts';
import { canvasHost } from './canvas-host.ts';
import { useCanvas } from './canvas-store.ts';
import type { Gesture, Pointer, Target } from './gestures/gesture.ts';
import { idle } from './gestures/idle.ts';
import { type Pinch, startPinching } from './gestures/pinching.ts';
import { scrollBy, toColumnPoint, zoomTo } from './viewport.ts';

/**
 * Adds one native listener per event type for the whole canvas, because React's synthetic events would walk the tree on
 * every move. The stage holds the scrolled pages and the rulers beside them. Elements identify themselves by `data-` attributes; the states (gestures/) interpret them.
 */
const WHEEL_ZOOM = 0.0022;
/** A notch of a mouse wheel is 100 or more; a trackpad pinch sends small steps that apply in full. */
const MAX_WHEEL = 60;

export function listenToPointers(scroller: HTMLElement, stage: HTMLElement): () => void {
  let gesture: Gesture = idle(canvasHost);
  let pinch: Pinch | null = null;
  let spaceIsDown = false;
  /** True while a gesture that ends commits its own change. */
  let isEnding = false;
  const fingers = new Map<number, Point>();

  const become = (next: Gesture) => {
    gesture = next;
    scroller.dataset.gesture = next.name;
  };
  const read = (event: PointerEvent): Pointer => {
    const client = { x: event.clientX, y: event.clientY };
    return {
      client,
      at: toColumnPoint(client),
      shift: event.shiftKey,
      alt: event.altKey,
      pans: event.button === 1 || spaceIsDown,
    };
  };

  const down = (event: PointerEvent) => {
    if (event.button > 1 || isScrollbar(event, scroller)) return;
    if (event.pointerType === 'touch') fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    const [a, b] = [...fingers.values()];
    if (a !== undefined && b !== undefined) {
      become(gesture.cancel());
      pinch = startPinching(a, b);
      return;
    }
    if (gesture.down === undefined) return;
    // The states set the focus; a press on the page blurs a text field, so that its text is committed.
    event.preventDefault();
    if (document.activeElement instanceof HTMLElement && !scroller.contains(document.activeElement))
      document.activeElement.blur();
    stage.setPointerCapture(event.pointerId);
    become(gesture.down(read(event), targetOf(event.target)));
  };
  const move = (event: PointerEvent) => {
    if (fingers.has(event.pointerId)) fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    const [a, b] = [...fingers.values()];
    if (pinch !== null && a !== undefined && b !== undefined) {
      const { factor, centre, pan } = pinch.move(a, b);
      scrollBy(pan);
      zoomTo(useCanvas.getState().scale * factor, centre);
      return;
    }
    if (gesture.move !== undefined) become(gesture.move(read(event)));
  };
  const up = (event: PointerEvent) => {
    fingers.delete(event.pointerId);
    if (fingers.size < 2) pinch = null;
    if (gesture.up === undefined) return;
    isEnding = true;
    try {
      become(gesture.up(read(event)));
    } finally {
      isEnding = false;
    }
  };
  const cancel = (event: PointerEvent) => {
    fingers.delete(event.pointerId);
    pinch = null;
    become(gesture.cancel());
  };
  const wheel = (event: WheelEvent) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const step = Math.max(-MAX_WHEEL, Math.min(MAX_WHEEL, event.deltaY));
    const factor = Math.exp(-step * WHEEL_ZOOM * 2);
    zoomTo(useCanvas.getState().scale * factor, { x: event.clientX, y: event.clientY });
  };
  const key = (event: KeyboardEvent) => {
    if (gesture.name !== 'idle' && (event.key === 'Escape' || isUndoOrRedo(event))) {
      event.preventDefault();
      event.stopImmediatePropagation();
      if (event.type === 'keydown') become(gesture.cancel());
    }
    if (event.code === 'Space' && !isTyping(event.target)) {
      spaceIsDown = event.type === 'keydown';
      scroller.dataset.space = String(spaceIsDown);
      if (event.target === document.body || scroller.contains(event.target as Node)) event.preventDefault();
      // Space pans while it is held; released on a field, it activates the field's button.
      if (event.type === 'keyup' && event.target instanceof HTMLElement && event.target.dataset.overlay)
        event.target.click();
    }
  };

  // A gesture commits a layout based on the one at its start, so another change meanwhile (Delete, a paste) ends it.
  const unsubscribe = useEditor.subscribe((now, before) => {
    if (now.project?.layout === before.project?.layout || isEnding || gesture.name === 'idle') return;
    become(gesture.cancel());
  });

  scroller.dataset.gesture = 'idle';
  stage.addEventListener('pointerdown', down);
  stage.addEventListener('pointermove', move);
  stage.addEventListener('pointerup', up);
  stage.addEventListener('pointercancel', cancel);
  scroller.addEventListener('wheel', wheel, { passive: false });
  window.addEventListener('keydown', key, true);
  window.addEventListener('keyup', key, true);
  return () => {
    unsubscribe();
    gesture.cancel();
    stage.removeEventListener('pointerdown', down);
    stage.removeEventListener('pointermove', move);
    stage.removeEventListener('pointerup', up);
    stage.removeEventListener('pointercancel', cancel);
    scroller.removeEventListener('wheel', wheel);
    window.removeEventListener('keydown', key, true);
    window.removeEventListener('keyup', key, true);
  };
}

const isUndoOrRedo = (event: KeyboardEvent): boolean =>
  (event.ctrlKey || event.metaKey) && ['z', 'y'].includes(event.key.toLowerCase());

export function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null;
}

function isScrollbar(event: PointerEvent, scroller: HTMLElement): boolean {
  const box = scroller.getBoundingClientRect();
  return event.clientX > box.left + scroller.clientWidth || event.clientY > box.top + scroller.clientHeight;
}

function targetOf(target: EventTarget | null): Target {
  const part =
    target instanceof Element
      ? target.closest<HTMLElement>(
          '[data-handle],[data-overlay],[data-ruler-guide],[data-page],[data-ruler]',
        )
      : null;
  const { handle, overlay, rulerGuide, page, ruler } = part?.dataset ?? {};
  // The upper ruler gives horizontal guides, which have a y.
  if (ruler !== undefined) return { on: 'ruler', axis: ruler === 'x' ? 'y' : 'x' };
  if (rulerGuide !== undefined) return { on: 'guide', index: Number(rulerGuide) };
  if (handle === 'rotate') return { on: 'handle', handle };
  if (handle !== undefined && isHandle(handle)) return { on: 'handle', handle };
  if (overlay !== undefined) return { on: 'overlay', id: overlay };
  return page === undefined ? { on: 'desk' } : { on: 'page', page: Number(page) };
}

const isHandle = (name: string): name is Handle => (HANDLES as readonly string[]).includes(name);
