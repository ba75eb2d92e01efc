import { selectField } from '../canvas/commands/select-field.ts';
import { useEditor } from '../editor/editor-store.ts';
import { Badge, EmptyState, type Tone } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import styles from '../ui/line-list.module.css';
import { type LayoutChange, layoutChanges } from './layout-changes.ts';

const TONES: Readonly<Record<LayoutChange['kind'], Tone>> = {
  added: 'good',
  removed: 'bad',
  moved: 'neutral',
  resized: 'neutral',
  remapped: 'accent',
  changed: 'neutral',
};

/** A readable difference between the layout on the screen and the package that was saved last. */
export function ChangesDialog({ onClose }: { onClose: () => void }) {
  const layout = useEditor((editor) => editor.project?.layout);
  const saved = useEditor((editor) => editor.savedLayout);
  const name = useEditor((editor) => editor.project?.name ?? '');
  const savedName = useEditor((editor) => editor.savedName);
  const renamed: readonly LayoutChange[] =
    savedName === null || savedName === name
      ? []
      : [{ kind: 'changed', id: null, text: `Project renamed from ${savedName} to ${name}` }];
  const changes = layout === undefined ? [] : [...renamed, ...layoutChanges(saved, layout)];
  return (
    <Dialog title={saved === null ? 'Not saved yet' : 'Changes since the last save'} onClose={onClose} wide>
      {changes.length === 0 ? (
        <EmptyState title="No changes">
          {saved === null ? 'The layout is empty.' : 'The last saved package is up to date.'}
        </EmptyState>
      ) : (
        <ul className={styles.list}>
          {changes.map(({ kind, id, text }) => (
            <li key={text} className={styles.line}>
              <span className={styles.text}>
                <Badge tone={TONES[kind]}>{kind}</Badge>
                {text}
              </span>
              {id !== null && (
                <Button
                  look="quiet"
                  onClick={() => {
                    selectField(id);
                    onClose();
                  }}
                >
                  Show
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  );
}
