import { useEffect, useRef } from 'react';
import styles from './fix-rows.module.css';
import { useFix } from './fix-store.ts';

/** How the editor of a cell was left. */
export type Leaving = 'stay' | 'right' | 'left' | 'same';

/**
 * Edits the text of a cell in place. Enter and leaving the cell keep the text, Escape does not. Cells can have several lines,
 * so this is a text area; Alt+Enter starts a new line.
 */
export function CellEditor({
  label,
  onKeep,
  onCancel,
}: {
  label: string;
  onKeep: (text: string, leaving: Leaving) => void;
  onCancel: () => void;
}) {
  const typed = useFix((fix) => fix.typed) ?? '';
  const box = useRef<HTMLTextAreaElement>(null);
  const done = useRef(false);
  useEffect(() => {
    const area = box.current;
    area?.focus();
    area?.setSelectionRange(area.value.length, area.value.length);
  }, []);
  const keep = (leaving: Leaving) => {
    if (done.current) return;
    done.current = true;
    onKeep(typed, leaving);
  };
  return (
    <textarea
      ref={box}
      className={styles.editor}
      aria-label={label}
      rows={1}
      value={typed}
      onChange={(event) => useFix.setState({ typed: event.target.value })}
      onBlur={() => keep('stay')}
      onKeyDown={(event) => {
        // The sheet handles keys of cells that are not being edited.
        event.stopPropagation();
        if (event.nativeEvent.isComposing) return;
        const mod = event.ctrlKey || event.metaKey;
        if (event.key === 'Escape') {
          done.current = true;
          onCancel();
        } else if (event.key === 'Enter' && event.altKey)
          event.currentTarget.setRangeText(
            '\n',
            event.currentTarget.selectionStart,
            event.currentTarget.selectionEnd,
            'end',
          );
        else if (event.key === 'Enter') keep(mod ? 'same' : 'stay');
        else if (event.key === 'Tab') keep(event.shiftKey ? 'left' : 'right');
        else return;
        if (event.key === 'Enter' && event.altKey) useFix.setState({ typed: event.currentTarget.value });
        event.preventDefault();
      }}
    />
  );
}
