import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useEditor } from '../editor/editor-store.ts';
import { IconButton } from '../ui/button.tsx';
import { tellError } from '../ui/messages.tsx';
import styles from './data-panel.module.css';
import { showRow } from './show-row.ts';

/** Chooses the row whose values the fields show: previous, next, or by number. */
export function RowStepper() {
  const rows = useEditor((editor) => editor.rows);
  const row = useEditor((editor) => editor.previewRow);
  const [typed, setTyped] = useState(String(row));
  useEffect(() => setTyped(String(row)), [row]);
  if (rows === null) return null;
  const show = (wanted: number) => void showRow(wanted).catch(tellError);
  return (
    <form
      className={styles.stepper}
      onSubmit={(event) => {
        event.preventDefault();
        show(Number(typed));
      }}
    >
      <IconButton label="Previous row" resting={row <= 1} onClick={() => show(row - 1)}>
        <ChevronLeft size={16} />
      </IconButton>
      <span>Row</span>
      <input
        aria-label="Row to show"
        inputMode="numeric"
        value={typed}
        onChange={(event) => setTyped(event.target.value.replaceAll(/\D/g, ''))}
        onBlur={() => show(Number(typed))}
      />
      <span>of {rows.rowCount.toLocaleString()}</span>
      <IconButton label="Next row" resting={row >= rows.rowCount} onClick={() => show(row + 1)}>
        <ChevronRight size={16} />
      </IconButton>
    </form>
  );
}
