import { useEffect, useRef, useState } from 'react';
import { useEditor } from '../../editor/editor-store.ts';
import { engine } from '../../engine/engine-client.ts';
import { tellError } from '../../ui/messages.tsx';

type Cells = readonly string[];

/**
 * Returns the cells of rows that are on the screen. They are fetched as the sheet scrolls, and again after a correction; the
 * old ones stay until the new ones arrive.
 */
export function useSheetCells(visible: readonly number[]): (row: number) => Cells | undefined {
  const reading = useEditor((editor) => editor.rowsReading);
  const known = useRef(new Map<number, { readonly of: object; readonly cells: Cells }>());
  const [, setArrived] = useState(0);
  const wanted = visible.join(' ');
  useEffect(() => {
    const rows = wanted
      .split(' ')
      .map(Number)
      .filter((row) => row > 0 && known.current.get(row)?.of !== reading);
    if (rows.length === 0) return;
    let gone = false;
    engine.pickRows(rows).then((lines) => {
      if (gone) return;
      for (const [index, cells] of lines.entries())
        known.current.set(rows[index] ?? 0, { of: reading, cells });
      setArrived((count) => count + 1);
    }, tellError);
    return () => {
      gone = true;
    };
  }, [wanted, reading]);
  return (row) => known.current.get(row)?.cells;
}
