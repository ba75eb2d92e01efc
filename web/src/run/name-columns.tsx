import { useEffect, useState } from 'react';
import { rowFileName } from '#fill/results/file-name.ts';
import { GroupCells } from '#lib/rows/group-cells.ts';
import { columnName } from '../core/overlays/value-words.ts';
import { withFileRow } from '../core/runs/file-row-cell.ts';
import { useEditor } from '../editor/editor-store.ts';
import { engine } from '../engine/engine-client.ts';
import { rowCells } from '../engine/rows/row-store.ts';
import type { RowsInfo } from '../project/project.ts';
import { chooseRun, useWork } from '../project/work-store.ts';
import { SelectField } from '../ui/field.tsx';
import { tellError } from '../ui/messages.tsx';
import { MAX_NAME_COLUMNS } from './run-choices.ts';
import styles from './run-dialog.module.css';

/** The columns in the names of the PDFs, with the name of the run's first PDF as an example. */
export function NameColumns({ rows, first }: { rows: RowsInfo; first: number }) {
  const layout = useEditor((editor) => editor.project?.layout);
  const chosen = useWork((work) => work.run.filenameColumns);
  const isGrouped = useWork((work) => work.run.groupBy.length > 0);
  if (layout === undefined) return null;
  const keys = Array.from({ length: rows.columnCount }, (_, index) => `column_${index}`);
  const places = Math.min(chosen.length + 1, MAX_NAME_COLUMNS);
  return (
    <fieldset className={styles.names}>
      <legend>File names: {isGrouped ? 'group' : 'row'} number, then</legend>
      {Array.from({ length: places }, (_, place) => (
        <SelectField
          // biome-ignore lint/suspicious/noArrayIndexKey: the place in the name is what the control is
          key={place}
          label={`Part ${place + 1} of the file name`}
          hideLabel
          value={chosen[place] ?? ''}
          onChange={(event) => {
            const next = [...chosen];
            next[place] = event.target.value;
            chooseRun({ filenameColumns: next.filter((key) => key !== '') });
          }}
        >
          <option value="">{place === 0 ? 'nothing else' : 'nothing more'}</option>
          {keys.map((key) => (
            <option key={key} value={key}>
              {columnName(layout, key)}
            </option>
          ))}
        </SelectField>
      ))}
      <Example first={first} columns={chosen} columnCount={rows.columnCount} isGrouped={isGrouped} />
    </fieldset>
  );
}

/** The name that the engine gives to the first PDF. */
function Example({
  first,
  columns,
  columnCount,
  isGrouped,
}: {
  first: number;
  columns: readonly string[];
  columnCount: number;
  isGrouped: boolean;
}) {
  const [read, setRead] = useState<readonly string[] | null>(null);
  useEffect(() => {
    let stale = false;
    engine.readRows(first, 1).then(([row]) => {
      if (!stale) setRead(row ?? null);
    }, tellError);
    return () => {
      stale = true;
    };
  }, [first]);
  if (read === null) return null;
  const isNumbered = first > 1 && columns.length < MAX_NAME_COLUMNS;
  const shown = isNumbered ? withFileRow(read, columnCount, first) : read;
  const names = isNumbered ? [`column_${columnCount}`, ...columns] : columns;
  const cells = rowCells(shown);
  return (
    <p className={styles.hint}>
      Example:{' '}
      <code>{rowFileName(1, isGrouped ? new GroupCells([{ number: 1, cells }]) : cells, names)}</code>
    </p>
  );
}
