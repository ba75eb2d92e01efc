import { useEffect, useRef } from 'react';
import { renameOverlay, useIdReading } from '../inspector/rename-field.tsx';
import { useTypedText } from '../inspector/typed-text.ts';
import styles from './fields.module.css';

/** Renames a field in its entry of the list. Enter or leaving the input applies the name, Escape keeps the old one. */
export function EntryName({ id, onDone }: { id: string; onDone: () => void }) {
  /** A key ends the renaming at the entry; a click elsewhere keeps the focus there. */
  const leave = (name: string, byKey: boolean) => {
    onDone();
    if (byKey) requestAnimationFrame(() => document.getElementById(entryElementId(name))?.focus());
  };
  const input = useRef<HTMLInputElement>(null);
  const read = useIdReading(id);
  const typed = useTypedText({
    label: 'Name',
    shown: id,
    read,
    onCommit: (wanted) => renameOverlay(id, wanted),
  });
  useEffect(() => input.current?.select(), []);
  const finish = (byKey: boolean) => {
    typed.commit();
    const reading = read(typed.text);
    if ('value' in reading) leave(reading.value, byKey);
  };
  return (
    <li className={styles.entry} data-selected="true">
      <div className={styles.renaming}>
        <input
          ref={input}
          aria-label={`Name of ${id}`}
          aria-invalid={typed.problem !== undefined}
          aria-describedby={typed.problem === undefined ? undefined : 'entry-problem'}
          className={styles.input}
          value={typed.text}
          onChange={(event) => typed.setText(event.target.value)}
          onBlur={() => finish(false)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') finish(true);
            else if (event.key === 'Escape') {
              typed.discard();
              leave(id, true);
            }
          }}
        />
        {typed.problem !== undefined && (
          <p id="entry-problem" role="alert" className={styles.problem}>
            {typed.problem}
          </p>
        )}
      </div>
    </li>
  );
}

export const entryElementId = (id: string): string => `entry:${id}`;
