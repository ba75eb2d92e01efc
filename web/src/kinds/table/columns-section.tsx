import { ArrowDown, ArrowUp, Plus, X } from 'lucide-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import type { TableColumn, TableOverlay } from '#fill/kinds/table/schema.ts';
import type { Layout } from '#fill/package/layout-schema.ts';
import { sourceWords } from '../../core/overlays/value-words.ts';
import { editSelected } from '../../inspector/edit-selected.ts';
import styles from '../../inspector/inspector.module.css';
import { Section } from '../../inspector/section.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { say } from '../../ui/messages.tsx';
import { ColumnForm } from './column-form.tsx';
import { moved, withColumn } from './edit-columns.ts';
import own from './table-section.module.css';

const MAX_COLUMNS = 50;

/** Replaces the columns of the selected table in one named step. */
const setColumns = (what: string, update: (columns: TableOverlay['columns']) => TableOverlay['columns']) =>
  editSelected(what, (overlay) => {
    if (overlay.type !== 'table') return overlay;
    const columns = update(overlay.columns);
    return columns === overlay.columns ? overlay : { ...overlay, columns };
  });

const nameOf = ({ header }: TableColumn, index: number) =>
  header.trim() === '' ? `column ${index + 1}` : header;

/** The columns of one table: their order, and the settings of the one that is open. */
export function ColumnsSection({ table, layout }: { table: TableOverlay; layout: Layout }) {
  const { columns } = table;
  const [open, setOpen] = useState<number | null>(null);
  const list = useRef<HTMLUListElement>(null);
  const focus = (index: number) =>
    requestAnimationFrame(() =>
      list.current?.querySelectorAll<HTMLButtonElement>('[aria-expanded]')[index]?.focus(),
    );
  const add = () => {
    setColumns('columns', (before) => withColumn(layout, before));
    setOpen(columns.length);
    focus(columns.length);
  };
  const remove = (index: number) => {
    setColumns('columns', (before) => before.filter((_, place) => place !== index));
    setOpen(null);
    say(`Removed a column; ${columns.length - 1} left`);
    focus(Math.min(index, columns.length - 2));
  };
  const move = (index: number, by: 1 | -1) => {
    const next = moved(columns, index, by);
    if (next === columns) return false;
    setColumns('the order of columns', () => next);
    if (open === index) setOpen(index + by);
    else if (open === index + by) setOpen(index);
    say(`Moved to place ${index + by + 1} of ${columns.length}`);
    return true;
  };
  const onKey = (event: KeyboardEvent, index: number) => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key] as 1 | -1 | undefined;
    if (by === undefined || !event.altKey) return;
    event.preventDefault();
    if (move(index, by)) focus(index + by);
  };
  return (
    <Section title="Columns">
      <ul ref={list} className={own.columns} aria-label="Columns of the table">
        {columns.map((column, index) => {
          const name = nameOf(column, index);
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: columns have no name of their own
            <li key={index}>
              <div className={own.head}>
                <button
                  type="button"
                  className={own.name}
                  aria-expanded={open === index}
                  aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
                  onClick={() => setOpen(open === index ? null : index)}
                  onKeyDown={(event) => onKey(event, index)}
                >
                  <span>{column.header.trim() === '' ? 'No header' : column.header}</span>
                  <span className={own.source}>{sourceWords(layout, column.value)}</span>
                </button>
                <IconButton label={`Move ${name} up`} resting={index === 0} onClick={() => move(index, -1)}>
                  <ArrowUp size={14} />
                </IconButton>
                <IconButton
                  label={`Move ${name} down`}
                  resting={index === columns.length - 1}
                  onClick={() => move(index, 1)}
                >
                  <ArrowDown size={14} />
                </IconButton>
                <IconButton
                  label={`Remove ${name}`}
                  resting={columns.length === 1}
                  onClick={() => remove(index)}
                >
                  <X size={14} />
                </IconButton>
              </div>
              {open === index && (
                <ColumnForm
                  columns={columns}
                  index={index}
                  onChange={(what, update) => setColumns(`${what} of ${name}`, update)}
                />
              )}
            </li>
          );
        })}
      </ul>
      <p className={styles.note}>The first column is on the left. Alt with ↑ or ↓ moves a column.</p>
      <Button icon={<Plus size={14} />} disabled={columns.length >= MAX_COLUMNS} onClick={add}>
        Add column
      </Button>
    </Section>
  );
}
