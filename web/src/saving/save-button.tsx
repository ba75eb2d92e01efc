import { FileDiff, Save } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { askAboutConflict, useDraftConflict } from '../drafts/draft-guard.ts';
import { useEditor } from '../editor/editor-store.ts';
import type { LayoutProblem } from '../engine/engine-client.ts';
import { downloadBlob } from '../files/download-blob.ts';
import { useWork } from '../project/work-store.ts';
import { isSignedIn } from '../shell/session.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { tell, tellError } from '../ui/messages.tsx';
import { fileStem } from './file-stem.ts';
import { ProblemsDialog } from './problems-dialog.tsx';
import styles from './save-button.module.css';
import { sealProject, useUnsaved } from './seal-package.ts';
import { SignInDialog } from './sign-in-dialog.tsx';

const ChangesDialog = lazy(async () => ({ default: (await import('./changes-dialog.tsx')).ChangesDialog }));

type Open = 'changes' | 'sign-in' | readonly LayoutProblem[] | null;

/** Saves the project as a sealed package, and shows whether there is anything to save. */
export function SaveButton() {
  const unsaved = useUnsaved();
  const draft = useWork((work) => work.draft);
  const elsewhere = useDraftConflict(({ conflict }) => conflict?.id === useEditor.getState().project?.id);
  const [open, setOpen] = useState<Open>(null);
  const [busy, setBusy] = useState(false);
  const save = async () => {
    const { project, markSaved } = useEditor.getState();
    if (project === null) return;
    setBusy(true);
    try {
      if (!(await isSignedIn())) return setOpen('sign-in');
      const sealed = await sealProject(project);
      if (!sealed.ok) return setOpen(sealed.problems);
      downloadBlob(sealed.bytes, `${fileStem(project.name)}.doqlo`);
      const now = useEditor.getState().project;
      if (now?.layout === project.layout && now.name === project.name) markSaved();
      tell('good', `Saved as ${fileStem(project.name)}.doqlo`);
    } finally {
      setBusy(false);
    }
  };
  useSaveShortcut(() => void save().catch(tellError));
  return (
    <>
      <span className={styles.state} role="status" data-longest="Unsaved changes">
        {elsewhere
          ? 'Draft not saved'
          : draft === 'failed'
            ? 'Draft not saved: the browser’s storage is full'
            : unsaved
              ? 'Unsaved changes'
              : 'Saved'}
      </span>
      {elsewhere && (
        <Button look="quiet" onClick={() => askAboutConflict(true)}>
          Changed in another tab
        </Button>
      )}
      <IconButton label="Changes since the last save" onClick={() => setOpen('changes')}>
        <FileDiff size={16} />
      </IconButton>
      <Button
        icon={<Save size={16} />}
        className={styles.save ?? ''}
        onClick={() => void save().catch(tellError)}
        resting={busy}
      >
        <span className={styles.label} data-longest="Saving…">
          {busy ? 'Saving…' : 'Save'}
        </span>
        {unsaved && <span className={styles.dot} aria-hidden="true" />}
      </Button>
      {open === 'changes' && (
        <Suspense fallback={null}>
          <ChangesDialog onClose={() => setOpen(null)} />
        </Suspense>
      )}
      {open === 'sign-in' && (
        <SignInDialog
          what="Saving"
          onClose={() => setOpen(null)}
          onSignedIn={() => void save().catch(tellError)}
        />
      )}
      {typeof open === 'object' && open !== null && (
        <ProblemsDialog problems={open} onClose={() => setOpen(null)} />
      )}
    </>
  );
}

function useSaveShortcut(save: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key === 's') {
        event.preventDefault();
        save();
      }
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  });
}
