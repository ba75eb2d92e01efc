import { PencilRuler, RotateCcw } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { Layout } from '#fill/package/layout-schema.ts';
import { selectField } from '../../canvas/commands/select-field.ts';
import { problemColumns } from '../../core/check/problem-columns.ts';
import { fieldName } from '../../core/overlays/field-name.ts';
import { columnName, withLabels } from '../../core/overlays/value-words.ts';
import { patchedCells } from '../../core/rows/cell-patches.ts';
import { correctCells } from '../../data/correct-cells.ts';
import { useEditor } from '../../editor/editor-store.ts';
import { Button } from '../../ui/button.tsx';
import { tellError } from '../../ui/messages.tsx';
import { correct, sameRows } from './correct.ts';
import styles from './fix-rows.module.css';
import { useFix } from './fix-store.ts';
import type { SheetRow } from './sheet-rows.ts';

/** Explains the active cell: its problems, its text in the file, and what can be done. */
export function CellDetails({ layout, rows }: { layout: Layout; rows: readonly SheetRow[] }) {
  const active = useFix((fix) => fix.active);
  const patches = useEditor((editor) => editor.rowsReading.patches);
  const line = rows.find(({ row }) => row === active?.row);
  if (active === null || line === undefined)
    return (
      <p className={styles.details}>
        <span>
          Press <kbd className={styles.key}>F8</kbd> to go to the first problem.
        </span>
      </p>
    );
  const { row, column } = active;
  const patch = patchedCells(patches).find((each) => each.row === row && each.column === column);
  const problems = line.isFixed
    ? []
    : line.problems.filter((problem) => column === null || problemColumns(layout, problem).includes(column));
  const hasNoCell =
    column === null && problems.some((problem) => problemColumns(layout, problem).length === 0);
  return (
    <div className={styles.details}>
      <div className={styles.said}>
        <strong>
          Row {row.toLocaleString()}
          {column !== null && ` · ${columnName(layout, column)}`}
        </strong>
        {problems.map((problem) => (
          <p key={`${problem.id} ${problem.code}`}>
            {problem.id !== null && `${fieldName(layout, problem.id)}: `}
            {withLabels(layout, problem.message)}
          </p>
        ))}
        {hasNoCell && <p>This does not come from a cell. Change the field in Design.</p>}
        {line.isFixed && <p>This row is fixed.</p>}
        {!line.isFixed && problems.length === 0 && <p>This cell has no problem.</p>}
        {patch !== undefined && (
          <p className={styles.was}>In the file: {patch.was === '' ? 'blank' : `“${patch.was}”`}</p>
        )}
      </div>
      <div className={styles.actions}>
        {patch !== undefined && (
          <>
            <AllTheSame column={patch.column} old={patch.was} text={patch.text} />
            <Button
              look="quiet"
              icon={<RotateCcw size={15} />}
              title="Use the text of the file again"
              onClick={() => void correct(row, patch.column, patch.was)}
            >
              Restore
            </Button>
          </>
        )}
        {problems[0]?.id != null && (
          <EditField id={problems[0].id} name={fieldName(layout, problems[0].id)} />
        )}
      </div>
    </div>
  );
}

function EditField({ id, name }: { id: string; name: string }) {
  return (
    <Button look="quiet" icon={<PencilRuler size={15} />} onClick={() => selectField(id)}>
      Edit {name}
    </Button>
  );
}

/** Offers the new text for all other problem rows that have the old one in this column. */
function AllTheSame({ column, old, text }: { column: string; old: string; text: string }) {
  const reading = useEditor((editor) => editor.rowsReading);
  const [rows, setRows] = useState<readonly number[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each correction changes which rows have the old text
  useEffect(() => {
    let gone = false;
    sameRows(column, old).then((found) => {
      if (!gone) setRows(found);
    }, tellError);
    return () => {
      gone = true;
    };
  }, [column, old, reading]);
  if (rows.length === 0) return null;
  const words = rows.length === 1 ? '1 more row' : `${rows.length.toLocaleString()} more rows`;
  return (
    <Button
      onClick={() => {
        correctCells(rows.map((row) => ({ row, column, text }))).catch(tellError);
      }}
    >
      Fix {words} with the same text
    </Button>
  );
}
