import type { CSSProperties } from 'react';
import type { TableOverlay } from '#fill/kinds/table/schema.ts';
import { shownValue } from '../../canvas/content/shown-value.ts';
import { familyOf } from '../../canvas/content/text-content.tsx';
import { scaled } from '../../canvas/view/scaled-style.ts';
import type { ContentProps } from '../kind-view.ts';
import styles from './table-content.module.css';

/**
 * The header and the preview row. The preview draws all rows of a group. Texts are content of the style sheet, because the text of a
 * button would have to be its name.
 */
export function TableContent({ overlay, layout, cells }: ContentProps<TableOverlay>) {
  const texts = overlay.columns.map(({ value, format }) => shownValue(layout, value, format, cells).text);
  const { lines, line_color: ink } = overlay;
  const line = `${scaled(overlay.line_width)} solid ${ink}`;
  const grid: CSSProperties = {
    gridTemplateColumns: overlay.columns.map(({ width }) => `minmax(0, ${width}fr)`).join(' '),
    gridAutoRows: `minmax(${scaled(overlay.row_height ?? 0)}, auto)`,
    fontFamily: familyOf(overlay.font),
    fontStyle: overlay.italic ? 'italic' : 'normal',
    fontWeight: overlay.bold ? 700 : 400,
    fontSize: scaled(overlay.size),
    lineHeight: overlay.line_height,
    color: overlay.color,
  };
  const cell = (index: number): CSSProperties => ({
    padding: scaled(overlay.padding),
    textAlign: overlay.columns[index]?.align ?? 'left',
    ...(overlay.columns[index]?.fit !== 'wrap' && { overflow: 'hidden', whiteSpace: 'nowrap' }),
    ...(lines === 'rows' && { borderBottom: line }),
    ...(lines === 'grid' && { border: line }),
  });
  return (
    <div className={styles.table} style={grid} aria-hidden="true">
      {overlay.header &&
        overlay.columns.map(({ header }, index) => (
          <b
            // biome-ignore lint/suspicious/noArrayIndexKey: columns have no name of their own
            key={index}
            style={{
              ...cell(index),
              color: overlay.header_color ?? overlay.color,
              background: overlay.header_fill,
            }}
            data-text={header}
          />
        ))}
      {texts.map((text, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: columns have no name of their own
        <span key={index} style={cell(index)} data-text={text} />
      ))}
    </div>
  );
}
