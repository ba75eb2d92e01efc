import { guideWords } from '../../core/guides/ruler-guides.ts';
import { useEditor } from '../../editor/editor-store.ts';
import { useWork } from '../../project/work-store.ts';
import { guideElementId } from '../canvas-host.ts';
import { useCanvas } from '../canvas-store.ts';
import { moveGuide, removeGuide } from '../commands/guides.ts';
import styles from './rulers.module.css';
import { scaled } from './scaled-style.ts';

const STEPS: Readonly<Record<'x' | 'y', Readonly<Record<string, number>>>> = {
  x: { ArrowLeft: -1, ArrowRight: 1 },
  y: { ArrowUp: -1, ArrowDown: 1 },
};
const LARGE = 10;

/** The guides of one page. The line is in front of the fields, the button to drag it by behind them. */
export function RulerGuides({ page }: { page: number }) {
  const shown = useCanvas((canvas) => canvas.rulers);
  const guides = useWork((work) => work.guides);
  const unit = useEditor((editor) => editor.unit);
  if (!shown) return null;
  return guides.map((guide, index) => {
    if (guide.page !== page) return null;
    const { axis, at } = guide;
    const style = axis === 'x' ? { left: scaled(at) } : { top: scaled(at) };
    const shape = axis === 'x' ? styles.upright : styles.level;
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: a guide has no other identity, and a drag keeps its place in the list
      <div key={index} className={styles.guide}>
        <button
          type="button"
          id={guideElementId(index)}
          data-ruler-guide={index}
          aria-label={guideWords(guide, unit)}
          title={guideWords(guide, unit)}
          className={`${styles.grip} ${shape}`}
          style={style}
          onKeyDown={(event) => {
            const step = STEPS[axis][event.key];
            const isRemoval = event.key === 'Delete' || event.key === 'Backspace';
            if (step === undefined && !isRemoval) return;
            // Otherwise the selected fields would move or be deleted as well.
            event.preventDefault();
            event.stopPropagation();
            if (isRemoval) removeGuide(index);
            else moveGuide(index, (step ?? 0) * (event.shiftKey ? LARGE : 1));
          }}
        />
        <span aria-hidden="true" className={`${styles.line} ${shape}`} style={style} />
      </div>
    );
  });
}
