import { type RefObject, useEffect, useRef } from 'react';
import { rulerTicks } from '../../core/guides/ruler-ticks.ts';
import { findPage, pagesBetween } from '../../core/pages/page-column.ts';
import { useEditor } from '../../editor/editor-store.ts';
import { useCanvas } from '../canvas-store.ts';
import { pageColumn, visiblePart } from '../viewport.ts';
import styles from './rulers.module.css';

/** The rulers above and to the left of the pages, in the current unit. A guide is dragged out of them. */
export function Rulers({ scroller }: { scroller: RefObject<HTMLElement | null> }) {
  return (
    <>
      <div className={styles.corner} aria-hidden="true" />
      <Ruler axis="x" scroller={scroller} />
      <Ruler axis="y" scroller={scroller} />
    </>
  );
}

/** The upper ruler measures x and gives horizontal guides; the left one measures y and gives vertical guides. */
function Ruler({ axis, scroller }: { axis: 'x' | 'y'; scroller: RefObject<HTMLElement | null> }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const scale = useCanvas((state) => state.scale);
  const unit = useEditor((editor) => editor.unit);
  const page = useEditor((editor) => editor.page);
  // biome-ignore lint/correctness/useExhaustiveDependencies: drawn again if the scale, the unit or the page changes
  useEffect(() => {
    const [element, view] = [canvas.current, scroller.current];
    if (element === null || view === null) return;
    let frame = 0;
    const later = () => {
      frame ||= requestAnimationFrame(() => {
        frame = 0;
        draw(element, axis);
      });
    };
    later();
    view.addEventListener('scroll', later, { passive: true });
    const size = new ResizeObserver(later);
    size.observe(element);
    const theme = new MutationObserver(later);
    theme.observe(document.documentElement, { attributes: true });
    const scheme = window.matchMedia('(prefers-color-scheme: dark)');
    scheme.addEventListener('change', later);
    return () => {
      cancelAnimationFrame(frame);
      view.removeEventListener('scroll', later);
      size.disconnect();
      theme.disconnect();
      scheme.removeEventListener('change', later);
    };
  }, [axis, scale, unit, page, scroller]);
  return (
    <div
      aria-hidden="true"
      data-ruler={axis}
      title={`Drag a ${axis === 'x' ? 'horizontal' : 'vertical'} guide onto the page`}
      className={`${styles.ruler} ${axis === 'x' ? styles.across : styles.down}`}
    >
      <canvas ref={canvas} />
    </div>
  );
}

const LENGTHS = [12, 7, 4];

function draw(canvas: HTMLCanvasElement, axis: 'x' | 'y'): void {
  const pen = canvas.getContext('2d');
  const density = window.devicePixelRatio || 1;
  const { clientWidth: width, clientHeight: height } = canvas;
  if (pen === null || width === 0 || height === 0) return;
  canvas.width = Math.round(width * density);
  canvas.height = Math.round(height * density);
  pen.scale(density, density);
  const { color, backgroundColor, fontFamily } = getComputedStyle(canvas);
  const { scale } = useCanvas.getState();
  const { unit, page: current } = useEditor.getState();
  const view = visiblePart();
  const column = pageColumn();
  const [first, last] =
    axis === 'x' ? [current, current] : pagesBetween(column, view.y, view.y + view.height);
  const thickness = axis === 'x' ? height : width;
  pen.font = `10px ${fontFamily}`;
  for (let number = first; number <= last; number += 1) {
    const page = findPage(column, number);
    if (page === undefined) continue;
    const [start, extent, origin, room] =
      axis === 'x' ? [page.x, page.width, view.x, view.width] : [page.y, page.height, view.y, view.height];
    const toPixels = (points: number) => (start + points - origin) * scale;
    pen.fillStyle = backgroundColor;
    const [from, to] = [Math.max(0, origin - start), Math.min(extent, origin + room - start)];
    if (axis === 'x') pen.fillRect(toPixels(from), 0, (to - from) * scale, thickness);
    else pen.fillRect(0, toPixels(from), thickness, (to - from) * scale);
    pen.fillStyle = color;
    // A label begins at its mark, so the one before the view may still be visible.
    for (const { at, label, rank } of rulerTicks(unit, scale, Math.max(0, from - 60 / scale), to)) {
      const place = Math.round(toPixels(at));
      const length = LENGTHS[rank] ?? 0;
      pen.globalAlpha = rank === 0 ? 0.9 : 0.5;
      if (axis === 'x') pen.fillRect(place, thickness - length, 1, length);
      else pen.fillRect(thickness - length, place, length, 1);
      if (label === null || place < -60) continue;
      pen.globalAlpha = 1;
      pen.save();
      if (axis === 'x') pen.translate(place + 3, 10);
      else {
        pen.translate(10, place - 3);
        pen.rotate(-Math.PI / 2);
      }
      pen.fillText(label, 0, 0);
      pen.restore();
    }
    pen.globalAlpha = 1;
  }
}
