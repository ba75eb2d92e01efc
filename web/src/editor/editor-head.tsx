import { Redo2, Undo2 } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { shownKeys } from '../canvas/toolbar/shown-keys.ts';
import { useWork } from '../project/work-store.ts';
import { RunButton } from '../run/run-button.tsx';
import { SaveButton } from '../saving/save-button.tsx';
import { IconButton } from '../ui/button.tsx';
import { EditorBackground } from './editor-background.tsx';
import styles from './editor-head.module.css';
import { useEditor } from './editor-store.ts';

const SharedWork = lazy(async () => ({ default: (await import('../library/shared-work.tsx')).SharedWork }));

/** The middle of the header: project name, undo and redo, view controls and actions. */
export function EditorHead() {
  const isInLibrary = useWork((work) => work.library !== null);
  return (
    <div className={styles.head}>
      <ProjectName />
      <UndoRedo />
      <span className={styles.space} />
      <Views />
      <span className={styles.space} />
      <SaveButton />
      <RunButton />
      <EditorBackground />
      {isInLibrary && (
        <Suspense fallback={null}>
          <SharedWork />
        </Suspense>
      )}
    </div>
  );
}

function ProjectName() {
  const name = useEditor((editor) => editor.project?.name ?? '');
  const rename = useEditor((editor) => editor.rename);
  const [text, setText] = useState<string | null>(null);
  const commit = () => {
    const wanted = text?.trim() ?? '';
    if (wanted !== '' && wanted !== name) rename(wanted);
    setText(null);
  };
  return (
    <input
      className={styles.name}
      aria-label="Project name"
      maxLength={200}
      value={text ?? name}
      onChange={(event) => setText(event.target.value)}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === 'Enter') commit();
        if (event.key === 'Escape') setText(null);
      }}
    />
  );
}

function UndoRedo() {
  const undone = useEditor((editor) => editor.history.past.at(-1)?.label);
  const redone = useEditor((editor) => editor.history.future[0]?.label);
  const { undo, redo } = useEditor.getState();
  return (
    <div className={styles.pair}>
      <IconButton
        label={undone === undefined ? 'Undo' : `Undo: ${undone}`}
        shortcut={shownKeys('Mod+Z')}
        resting={undone === undefined}
        onClick={undo}
      >
        <Undo2 size={16} />
      </IconButton>
      <IconButton
        label={redone === undefined ? 'Redo' : `Redo: ${redone}`}
        shortcut={shownKeys('Mod+Shift+Z')}
        resting={redone === undefined}
        onClick={redo}
      >
        <Redo2 size={16} />
      </IconButton>
    </div>
  );
}

function Views() {
  const panel = useEditor((editor) => editor.panel);
  const { showPanel } = useEditor.getState();
  return (
    <fieldset className={styles.views}>
      <legend className="visually-hidden">View</legend>
      <button
        type="button"
        aria-pressed={panel !== 'preview'}
        onClick={() => showPanel(panel === 'preview' ? 'fields' : panel)}
      >
        Design
      </button>
      <button type="button" aria-pressed={panel === 'preview'} onClick={() => showPanel('preview')}>
        Preview
      </button>
    </fieldset>
  );
}
