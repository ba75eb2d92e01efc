import type { CSSProperties } from 'react';
import type { TableOverlay } from '#fill/kinds/table/schema.ts';
import { shownValue } from '../../canvas/content/shown-value.ts';
import type { ContentProps } from '../kind-view.ts';
import styles from './table-content.module.css';

/** The header and the preview row. The preview draws all rows of a group. */
export function TableContent({ overlay, layout, cells }: ContentProps<TableOverlay>) {
  const texts = overlay.columns.map(({ value, format }) => shownValue(layout, value, format, cells).text);
  const grid: CSSProperties = {
    gridTemplateColumns: overlay.columns.map(({ width }) => `${width}fr`).join(' '),
    fontSize: overlay.size,
    lineHeight: overlay.line_height,
    color: overlay.color,
    borderColor: overlay.line_color,
  };
  const cell = (index: number): CSSProperties => ({
    padding: overlay.padding,
    textAlign: overlay.columns[index]?.align ?? 'left',
    borderColor: overlay.line_color,
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
          >
            {header}
          </b>
        ))}
      {texts.map((text, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: columns have no name of their own
        <span key={index} style={cell(index)}>
          {text}
        </span>
      ))}
    </div>
  );
}
