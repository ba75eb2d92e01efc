import type { Layout } from '#fill/package/layout-schema.ts';
import { columnName } from '../../core/overlays/value-words.ts';
import { codeWords, sentence } from '../code-words.ts';
import styles from './fix-rows.module.css';
import { useFix } from './fix-store.ts';
import { codesOf, filteredRows, involvedColumns, type SheetRow } from './sheet-rows.ts';

/** Narrows the sheet to one problem or one column. */
export function Filters({
  layout,
  rows,
  columns,
}: {
  layout: Layout;
  rows: readonly SheetRow[];
  columns: readonly string[];
}) {
  const filter = useFix((fix) => fix.filter);
  const set = (change: Partial<typeof filter>) => useFix.setState({ filter: { ...filter, ...change } });
  const count = (change: Partial<typeof filter>) =>
    filteredRows(layout, rows, { code: null, column: null, ...change }).length.toLocaleString();
  return (
    <div className={styles.filters}>
      <select
        aria-label="Problem"
        value={filter.code ?? ''}
        onChange={(event) => set({ code: event.target.value || null })}
      >
        <option value="">All problems</option>
        {codesOf(rows).map((code) => (
          <option key={code} value={code}>
            {sentence(codeWords(code))} ({count({ code })})
          </option>
        ))}
      </select>
      <select
        aria-label="Column"
        value={filter.column ?? ''}
        onChange={(event) => set({ column: event.target.value || null })}
      >
        <option value="">All columns</option>
        {involvedColumns(layout, rows, columns).map((column) => (
          <option key={column} value={column}>
            {columnName(layout, column)} ({count({ column })})
          </option>
        ))}
      </select>
    </div>
  );
}
