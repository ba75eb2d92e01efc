import { type Box, boundsOf } from '../../core/geometry/box.ts';
import { unionOf } from '../../core/geometry/rect.ts';
import { overlaysOn } from '../../core/overlays/find-overlays.ts';
import { HANDLES } from '../../core/transform/resize.ts';
import { useEditor } from '../../editor/editor-store.ts';
import { useCanvas } from '../canvas-store.ts';
import styles from './canvas.module.css';
import { boxStyle } from './scaled-style.ts';

/** Made once: React skips elements that stay the same, and a drag renders the frame at every move. */
const MARKS = HANDLES.map((handle) => <span key={handle} data-handle={handle} className={styles.handle} />);
const GRIPS = HANDLES.map((handle) => <span key={handle} data-handle={handle} className={styles.grip} />);
const ROTATE_MARK = <span data-handle="rotate" className={styles.rotateHandle} />;
const ROTATE_GRIP = <span data-handle="rotate" className={`${styles.grip} ${styles.rotateGrip}`} />;

/**
 * The frame around the selection on one page, with its handles. Each handle has a visible mark above the fields and a larger
 * grip below them. For the pointer only; keyboard users use the inspector.
 */
export function SelectionFrame({ page }: { page: number }) {
  const isHere = useEditor(({ layout, selection }) => {
    if (layout === null || selection.length === 0) return false;
    return overlaysOn(layout, page).some(({ id }) => selection.includes(id));
  });
  return isHere ? <Frame page={page} /> : null;
}

function Frame({ page }: { page: number }) {
  const layout = useEditor((editor) => editor.layout);
  const selection = useEditor((editor) => editor.selection);
  const locked = useCanvas((canvas) => canvas.locked);
  const tool = useCanvas((canvas) => canvas.tool);
  if (layout === null) return null;
  const chosen = overlaysOn(layout, page).filter(({ id }) => selection.includes(id));
  const [first] = chosen;
  const group = unionOf(chosen.map(boundsOf));
  if (first === undefined || group === null) return null;
  const alone = selection.length === 1;
  const frame: Box = chosen.length === 1 ? first : { ...group, rotation: 0 };
  const movable =
    tool === 'select' && chosen.every(({ id }) => !locked.has(id)) && chosen.length === selection.length;
  const style = { ...boxStyle(frame), rotate: `${frame.rotation}deg` };
  return (
    <>
      <div aria-hidden="true" className={`${styles.frame} ${movable ? '' : styles.fixedFrame}`} style={style}>
        {movable && MARKS}
        {movable && alone && ROTATE_MARK}
      </div>
      {movable && (
        <div aria-hidden="true" className={styles.grips} style={style}>
          {GRIPS}
          {alone && ROTATE_GRIP}
        </div>
      )}
    </>
  );
}
