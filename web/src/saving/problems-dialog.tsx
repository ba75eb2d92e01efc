import { selectField } from '../canvas/commands/select-field.ts';
import { fieldName } from '../core/overlays/field-name.ts';
import { useEditor } from '../editor/editor-store.ts';
import type { LayoutProblem } from '../engine/engine-client.ts';
import { Banner } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import styles from '../ui/line-list.module.css';

/** Lists the problems that stop a save or a run because they would affect every row. Each one links to its field. */
export function ProblemsDialog({
  title = 'Not saved yet',
  problems,
  onClose,
}: {
  title?: string;
  problems: readonly LayoutProblem[];
  onClose: () => void;
}) {
  const layout = useEditor((editor) => editor.project?.layout);
  return (
    <Dialog title={title} onClose={onClose} wide>
      <Banner
        tone="bad"
        title={problems.length === 1 ? 'Fix one problem first' : `Fix ${problems.length} problems first`}
      >
        Every document would be wrong. Your work is kept as a draft.
      </Banner>
      <ul className={styles.list}>
        {problems.map(({ id, message }) => (
          <li key={`${id} ${message}`} className={styles.line}>
            <span className={styles.text}>
              {id !== null && layout !== undefined && <strong>{fieldName(layout, id)}</strong>}
              {message}
            </span>
            {id !== null && (
              <Button
                onClick={() => {
                  selectField(id);
                  onClose();
                }}
              >
                Go to field
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
