import { Check, TriangleAlert } from 'lucide-react';
import type { Layout } from '#fill/package/layout-schema.ts';
import { problemColumns } from '../../core/check/problem-columns.ts';
import { columnIndex, columnName, withLabels } from '../../core/overlays/value-words.ts';
import { isCorrectable } from '../../data/correct-cells.ts';
import { useEditor } from '../../editor/editor-store.ts';
import { tellError } from '../../ui/messages.tsx';
import { codeWords, sentence } from '../code-words.ts';
import { CellEditor, type Leaving } from './cell-editor.tsx';
import { correct, correctAllTheSame, textInFile } from './correct.ts';
import styles from './fix-rows.module.css';
import { moveTo, useFix } from './fix-store.ts';
import { beginEdit, editThere, placeBeside, pressOnCell } from './sheet-keys.ts';
import { COLUMN_WIDTH, NUMBER_WIDTH } from './sheet-measures.ts';
import { markedColumns, type SheetRow } from './sheet-rows.ts';

interface LineProps {
  readonly layout: Layout;
  readonly line: SheetRow;
  readonly index: number;
  readonly place: { readonly top: number; readonly width: number };
  readonly rows: readonly SheetRow[];
  readonly columns: readonly string[];
  readonly shown: readonly { readonly index: number; readonly start: number }[];
  readonly cells: readonly string[] | undefined;
}

/** One row of the sheet: its number and state, then its cells. */
export function SheetLine(props: LineProps) {
  const { layout, line, index, place, rows, columns, shown } = props;
  const isHere = useFix((fix) => fix.active?.row === line.row);
  const isActive = useFix((fix) => fix.active?.row === line.row && fix.active.column === null);
  const marked = markedColumns(layout, line);
  const [first] = line.problems;
  const words = line.isFixed ? 'Fixed' : sentence(codeWords(first?.code ?? ''));
  const more = line.isFixed || line.problems.length < 2 ? '' : ` +${line.problems.length - 1}`;
  return (
    <tr
      aria-rowindex={index + 2}
      aria-selected={isHere}
      data-fixed={line.isFixed || undefined}
      style={{ width: place.width, translate: `0 ${place.top}px` }}
    >
      <th
        scope="row"
        className={styles.number}
        tabIndex={isActive ? 0 : -1}
        data-active={isActive || undefined}
        onClick={() => moveTo({ row: line.row, column: null })}
        onKeyDown={(event) => pressOnCell(event, { row: line.row, column: null }, rows, columns, null)}
      >
        <span className={styles.rowNumber}>{line.row.toLocaleString()}</span>
        <span className={line.isFixed ? styles.fixed : styles.open}>
          {line.isFixed ? <Check size={14} aria-hidden /> : <TriangleAlert size={14} aria-hidden />}
          <span className={styles.reason}>{words}</span>
          {more}
        </span>
      </th>
      {shown.map(({ index: column, start }) => {
        const key = columns[column] ?? '';
        return (
          <SheetCell
            key={key}
            {...props}
            column={key}
            position={column}
            left={NUMBER_WIDTH + start}
            isMarked={marked.includes(key)}
          />
        );
      })}
    </tr>
  );
}

interface CellProps extends LineProps {
  readonly column: string;
  readonly position: number;
  readonly left: number;
  readonly isMarked: boolean;
}

function SheetCell({ layout, line, rows, columns, cells, column, position, left, isMarked }: CellProps) {
  const { row } = line;
  const isActive = useFix((fix) => fix.active?.row === row && fix.active.column === column);
  const isEdited = useFix((fix) => isActive && fix.typed !== null);
  const pending = useFix((fix) =>
    fix.pending?.row === row && fix.pending.column === column ? fix.pending.text : null,
  );
  const reading = useEditor((editor) => editor.rowsReading);
  const text = pending ?? cells?.[columnIndex(column)] ?? '';
  const was = textInFile(row, column);
  const canEdit = cells !== undefined && isCorrectable(reading, column);
  const reasons = line.problems.filter(
    (problem) => isMarked && problemColumns(layout, problem).includes(column),
  );
  const reason = reasons.map(({ message }) => withLabels(layout, message)).join(' ');
  const keep = (next: string, leaving: Leaving) => {
    const beside = leaving === 'right' ? 1 : leaving === 'left' ? -1 : null;
    const target = beside === null ? undefined : placeBeside({ row, column }, beside, rows, columns);
    useFix.setState({ typed: null });
    if (leaving === 'same') correctAllTheSame(row, column, text, next).catch(tellError);
    else if (next !== text) void correct(row, column, next);
    // Leaving by a click elsewhere must not move back.
    if (document.activeElement?.matches('textarea') !== true) return;
    moveTo(target ?? { row, column });
    if (target !== undefined) editThere(target).catch(tellError);
  };
  return (
    <td
      // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a cell of a grid
      role="gridcell"
      aria-colindex={position + 2}
      aria-invalid={isMarked || undefined}
      aria-readonly={!canEdit || undefined}
      tabIndex={isActive ? 0 : -1}
      data-active={isActive || undefined}
      data-corrected={was !== undefined || undefined}
      data-cell={`${row} ${column}`}
      className={isMarked ? styles.marked : undefined}
      title={isMarked ? reason : was === undefined ? undefined : `In the file: ${was === '' ? 'blank' : was}`}
      style={{ left, width: COLUMN_WIDTH }}
      onClick={() => {
        if (!isEdited) moveTo({ row, column });
      }}
      onDoubleClick={() => {
        if (canEdit && !isEdited) beginEdit(text);
      }}
      onKeyDown={(event) =>
        pressOnCell(
          event,
          { row, column },
          rows,
          columns,
          canEdit ? { text, begin: beginEdit, clear: () => void correct(row, column, '') } : null,
        )
      }
    >
      {isEdited ? (
        <CellEditor
          label={`${columnName(layout, column)} in row ${row}`}
          onKeep={keep}
          onCancel={() => moveTo({ row, column })}
        />
      ) : (
        <>
          {text}
          {isMarked && <span className="visually-hidden">. {reason}</span>}
          {was !== undefined && <span className="visually-hidden">. Corrected</span>}
        </>
      )}
    </td>
  );
}
