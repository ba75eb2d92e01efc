import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import type { Layout } from '#fill/package/layout-schema.ts';
import { columnName } from '../../core/overlays/value-words.ts';
import styles from './fix-rows.module.css';
import { useFix } from './fix-store.ts';
import { SheetLine } from './sheet-line.tsx';
import { COLUMN_WIDTH, NUMBER_WIDTH, ROW_HEIGHT } from './sheet-measures.ts';
import type { SheetRow } from './sheet-rows.ts';
import { useSheetCells } from './use-sheet-cells.ts';

/** The rows with problems as a sheet whose cells can be edited. Only what is on the screen is in the document. */
export function ProblemSheet({
  layout,
  rows,
  columns,
}: {
  layout: Layout;
  rows: readonly SheetRow[];
  columns: readonly string[];
}) {
  const scroller = useRef<HTMLDivElement>(null);
  const active = useFix((fix) => fix.active);
  const moves = useFix((fix) => fix.moves);
  const activeRow = rows.findIndex(({ row }) => row === active?.row);
  const activeColumn = active?.column == null ? -1 : columns.indexOf(active.column);
  const including = (index: number) => (range: Parameters<typeof defaultRangeExtractor>[0]) => {
    const seen = defaultRangeExtractor(range);
    // The active cell must exist even if it is scrolled away, because it has the focus.
    return index < 0 || seen.includes(index) ? seen : [...seen, index].sort((a, b) => a - b);
  };
  const down = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 10,
    rangeExtractor: including(activeRow),
  });
  const across = useVirtualizer({
    horizontal: true,
    count: columns.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => COLUMN_WIDTH,
    overscan: 3,
    rangeExtractor: including(activeColumn),
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a move scrolls and focuses, even to the same place
  useEffect(() => {
    const box = scroller.current;
    if (moves === 0 || box === null || activeRow < 0) return;
    reveal(box, activeRow, activeColumn);
    box.querySelector<HTMLElement>('[data-active] textarea, [data-active]')?.focus({ preventScroll: true });
  }, [moves]);
  const lines = down.getVirtualItems();
  const shown = across.getVirtualItems();
  const cellsOf = useSheetCells(lines.map(({ index }) => rows[index]?.row ?? 0));
  const width = NUMBER_WIDTH + across.getTotalSize();
  return (
    <div ref={scroller} className={styles.scroller}>
      <table
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table whose cells can be edited is a grid
        role="grid"
        aria-label="Rows with problems"
        className={styles.table}
        aria-rowcount={rows.length + 1}
        aria-colcount={columns.length + 1}
        style={{ width, height: down.getTotalSize() + ROW_HEIGHT }}
      >
        <thead className={styles.head}>
          <tr style={{ width }}>
            <th scope="col" className={styles.number}>
              Row and problem
            </th>
            {shown.map(({ index, start }) => (
              <th key={index} scope="col" aria-colindex={index + 2} style={{ left: NUMBER_WIDTH + start }}>
                {columnName(layout, columns[index] ?? '')}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map(({ index, start }) => {
            const row = rows[index];
            if (row === undefined) return null;
            return (
              <SheetLine
                key={row.row}
                layout={layout}
                line={row}
                index={index}
                place={{ top: start, width }}
                rows={rows}
                columns={columns}
                shown={shown}
                cells={cellsOf(row.row)}
              />
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

/** Scrolls so that a cell is not below the sticky header or behind the sticky first column. */
function reveal(box: HTMLElement, row: number, column: number): void {
  const top = row * ROW_HEIGHT;
  if (top < box.scrollTop) box.scrollTop = top;
  else if (top + 2 * ROW_HEIGHT > box.scrollTop + box.clientHeight)
    box.scrollTop = top + 2 * ROW_HEIGHT - box.clientHeight;
  if (column < 0) return;
  const left = column * COLUMN_WIDTH;
  const room = box.clientWidth - NUMBER_WIDTH;
  if (left < box.scrollLeft) box.scrollLeft = left;
  else if (left + COLUMN_WIDTH > box.scrollLeft + room) box.scrollLeft = left + COLUMN_WIDTH - room;
}
