import { ChevronDown, ChevronUp } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { useEditor } from '../../editor/editor-store.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { say } from '../../ui/messages.tsx';
import styles from './fix-rows.module.css';
import { moveTo, useFix } from './fix-store.ts';
import { nextProblem, type SheetRow } from './sheet-rows.ts';

/** Buttons and keys that go to the next and the previous problem: F8 or Alt+↓, with Shift or Alt+↑ backwards. */
export function useProblemKeys(rows: readonly SheetRow[], columns: readonly string[]): ReactNode {
  const go = (direction: 1 | -1) => {
    const layout = useEditor.getState().project?.layout;
    if (layout === undefined) return;
    const { typed, active } = useFix.getState();
    // Leaving the editor of a cell keeps its text.
    if (typed !== null && document.activeElement instanceof HTMLElement) document.activeElement.blur();
    const next = nextProblem(layout, rows, columns, active, direction);
    if (next === null) say('All rows are fixed');
    else moveTo(next);
  };
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const down = event.key === 'F8' ? !event.shiftKey : event.altKey && event.key === 'ArrowDown';
      const up = event.key === 'F8' ? event.shiftKey : event.altKey && event.key === 'ArrowUp';
      if ((!down && !up) || document.querySelector('dialog[open]') !== null) return;
      event.preventDefault();
      go(down ? 1 : -1);
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  });
  const resting = rows.every(({ isFixed }) => isFixed);
  return (
    <div className={styles.steps}>
      <IconButton label="Previous problem" shortcut="Shift+F8" resting={resting} onClick={() => go(-1)}>
        <ChevronUp size={16} />
      </IconButton>
      <Button look="primary" icon={<ChevronDown size={16} />} resting={resting} onClick={() => go(1)}>
        Next problem <kbd className={styles.key}>F8</kbd>
      </Button>
    </div>
  );
}
