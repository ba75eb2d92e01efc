import { checkChoices } from '#fill/kinds/check/choices.ts';
import { MARKS } from '#fill/kinds/check/draw.ts';
import type { CheckOverlay } from '#fill/kinds/check/schema.ts';
import styles from '../../canvas/content/content.module.css';
import { pdfPaths } from '../../canvas/content/pdf-path.ts';
import type { ContentProps } from '../kind-view.ts';

/** Without rows, the box shows the mark. */
export function CheckContent({ overlay, shown, layout }: ContentProps<CheckOverlay>) {
  if (!shown.isPlaceholder && checkChoices(overlay, layout.overlays).match(shown.text) !== 'on') return null;
  return (
    <svg className={styles.fill} viewBox="0 0 1 1" aria-hidden="true">
      <g transform="matrix(1 0 0 -1 0 1)">
        {pdfPaths(MARKS[overlay.mark]).map(({ d }) => (
          <path key={d} d={d} fill={overlay.color} />
        ))}
      </g>
    </svg>
  );
}
