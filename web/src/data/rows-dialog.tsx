import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef } from 'react';
import { columnName } from '../core/overlays/value-words.ts';
import { patchedCells } from '../core/rows/cell-patches.ts';
import { useEditor } from '../editor/editor-store.ts';
import type { RowsInfo } from '../project/project.ts';
import { Dialog } from '../ui/dialog.tsx';
import { tellError } from '../ui/messages.tsx';
import { useRowPages } from './row-pages.ts';
import styles from './rows-dialog.module.css';
import { showRow } from './show-row.ts';

const ROW_HEIGHT = 32;
const COLUMN_WIDTH = 168;
const NUMBER_WIDTH = 72;

/** All rows in a virtualised table; cells are shown as text, as in the file. */
export function RowsDialog({ rows, onClose }: { rows: RowsInfo; onClose: () => void }) {
  const layout = useEditor((editor) => editor.project?.layout);
  const shown = useEditor((editor) => editor.previewRow);
  const patches = useEditor((editor) => editor.rowsReading.patches);
  const corrected = useMemo(
    () => new Map(patchedCells(patches).map(({ row, column, was }) => [`${row} ${column}`, was])),
    [patches],
  );
  const scroller = useRef<HTMLElement>(null);
  const down = useVirtualizer({
    count: rows.rowCount,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
    initialOffset: Math.max(0, shown - 4) * ROW_HEIGHT,
  });
  const across = useVirtualizer({
    horizontal: true,
    count: rows.columnCount,
    getScrollElement: () => scroller.current,
    estimateSize: () => COLUMN_WIDTH,
    overscan: 3,
  });
  const seen = down.getVirtualItems();
  const columns = across.getVirtualItems();
  const cellsOf = useRowPages(seen[0]?.index ?? 0, seen.at(-1)?.index ?? 0);
  const width = NUMBER_WIDTH + across.getTotalSize();
  return (
    <Dialog title={`${rows.fileName}: ${rows.rowCount.toLocaleString()} rows`} onClose={onClose} wide>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard */}
      <section ref={scroller} className={styles.scroller} tabIndex={0} aria-label="Rows">
        <table
          className={styles.table}
          aria-rowcount={rows.rowCount + 1}
          aria-colcount={rows.columnCount + 1}
          style={{ width, height: down.getTotalSize() + ROW_HEIGHT }}
        >
          <thead className={styles.head}>
            <tr style={{ width }}>
              <th scope="col" className={styles.number}>
                Row
              </th>
              {columns.map(({ index, start }) => (
                <th key={index} scope="col" aria-colindex={index + 2} style={{ left: NUMBER_WIDTH + start }}>
                  {layout === undefined ? `Column ${index + 1}` : columnName(layout, `column_${index}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {seen.map(({ index, start }) => (
              <tr
                key={index}
                aria-rowindex={index + 2}
                aria-current={index + 1 === shown ? 'true' : undefined}
                style={{ width, translate: `0 ${start}px` }}
              >
                <th scope="row" className={styles.number}>
                  <button
                    type="button"
                    aria-label={`Show row ${index + 1} on the page`}
                    onClick={() => {
                      showRow(index + 1).then(onClose, tellError);
                    }}
                  >
                    {(index + 1).toLocaleString()}
                  </button>
                </th>
                {columns.map(({ index: column, start: left }) => {
                  const was = corrected.get(`${index + 1} column_${column}`);
                  return (
                    <td
                      key={column}
                      aria-colindex={column + 2}
                      data-corrected={was !== undefined || undefined}
                      title={
                        was === undefined
                          ? undefined
                          : `Corrected. In the file: ${was === '' ? 'blank' : was}`
                      }
                      style={{ left: NUMBER_WIDTH + left }}
                    >
                      {cellsOf(index)?.[column] ?? ''}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Dialog>
  );
}
