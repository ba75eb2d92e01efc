import { useState } from 'react';
import { useEditor } from '../editor/editor-store.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import styles from '../ui/line-list.module.css';

/** Lists how the PDF differs from the one that the package was created for. Fields are not moved. */
export function DifferencesDialog() {
  const project = useEditor((editor) => editor.project);
  const openings = useEditor((editor) => editor.openings);
  const [seen, setSeen] = useState(0);
  if (project === null || project.differences.length === 0 || seen === openings) return null;
  const close = () => setSeen(openings);
  return (
    <Dialog
      title="This PDF differs from the one the project was created for"
      onClose={close}
      wide
      actions={
        <Button look="primary" onClick={close}>
          {' '}
          Continue{' '}
        </Button>
      }
    >
      <p>Fields keep their positions. Check them on the new pages, and save again.</p>
      <ul className={styles.list}>
        {project.differences.map(({ code, message, page, expected, actual }) => (
          <li key={`${code} ${page} ${message}`} className={styles.line}>
            <span className={styles.text}>{message}</span>
            {expected !== undefined && actual !== undefined && (
              <code>
                {short(expected)} → {short(actual)}
              </code>
            )}
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

const short = (value: string | number) => String(value).slice(0, 24);
