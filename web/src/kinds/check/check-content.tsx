import { MARKS } from '#fill/kinds/check/draw.ts';
import type { CheckOverlay } from '#fill/kinds/check/schema.ts';
import { compileTick } from '#fill/values/match-option.ts';
import styles from '../../canvas/content/content.module.css';
import { pdfPaths } from '../../canvas/content/pdf-path.ts';
import type { ContentProps } from '../kind-view.ts';

/** Without rows, the box shows the mark. */
export function CheckContent({ overlay, shown }: ContentProps<CheckOverlay>) {
  const value = shown.isPlaceholder ? 'yes' : shown.text;
  const onValues = overlay.on_value === undefined ? [] : [overlay.on_value];
  const match = compileTick(onValues.map((onValue) => ({ value: onValue, label: onValue })));
  if (match(value) !== 'on') return null;
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
