import { ChevronDown, Download, FileDiff, History, Save } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { Menu, MenuItem } from '../canvas/toolbar/menu.tsx';
import { askAboutConflict, useDraftConflict } from '../drafts/draft-guard.ts';
import { useEditor } from '../editor/editor-store.ts';
import { useSaveConflict } from '../library/save-conflict.ts';
import { saveToLibrary } from '../library/save-project.ts';
import { useWork } from '../project/work-store.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { tell, tellError } from '../ui/messages.tsx';
import { exportPackage } from './export-package.ts';
import styles from './save-button.module.css';
import type { SaveWindow } from './save-windows.tsx';
import { useUnsaved } from './seal-package.ts';

const SaveWindows = lazy(async () => ({ default: (await import('./save-windows.tsx')).SaveWindows }));

/** Saves the project as a new version on the server, and shows whether there is anything to save. */
export function SaveButton() {
  const unsaved = useUnsaved();
  const draft = useWork((work) => work.draft);
  const elsewhere = useDraftConflict(({ conflict }) => conflict?.id === useEditor.getState().project?.id);
  const isInLibrary = useWork((work) => work.library !== null);
  const newer = useSaveConflict(({ conflict }) => conflict);
  const [open, setOpen] = useState<SaveWindow | null>(null);
  const [busy, setBusy] = useState(false);
  const work = async (what: () => Promise<SaveWindow | null>) => {
    setBusy(true);
    try {
      setOpen(await what());
    } finally {
      setBusy(false);
    }
  };
  const save = () => void work(saveNow).catch(tellError);
  const exportFile = () => void work(exportPackage).catch(tellError);
  useSaveShortcut(save);
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
      <span className={styles.changes}>
        <IconButton label="Changes since the last save" onClick={() => setOpen({ at: 'changes' })}>
          <FileDiff size={16} />
        </IconButton>
      </span>
      <span className={styles.split}>
        <Button icon={<Save size={16} />} className={styles.save ?? ''} onClick={save} resting={busy}>
          <span className={styles.label} data-longest="Saving…">
            {busy ? 'Saving…' : 'Save'}
          </span>
          {unsaved && <span className={styles.dot} aria-hidden="true" />}
        </Button>
        <Menu label="More ways to save" icon={<ChevronDown size={15} />}>
          <MenuItem icon={<Download size={15} />} onChoose={exportFile}>
            Export .doqlo
          </MenuItem>
          <MenuItem icon={<FileDiff size={15} />} onChoose={() => setOpen({ at: 'changes' })}>
            Show changes
          </MenuItem>
          <MenuItem
            icon={<History size={15} />}
            disabled={!isInLibrary}
            onChoose={() => setOpen({ at: 'versions' })}
          >
            Versions…
          </MenuItem>
        </Menu>
      </span>
      {(open !== null || newer !== null) && (
        <Suspense fallback={null}>
          <SaveWindows
            open={newer === null ? open : { at: 'newer', conflict: newer }}
            onClose={() => setOpen(null)}
            onSave={save}
            onExport={exportFile}
          />
        </Suspense>
      )}
    </>
  );
}

/** Saves, and returns the question that has to be answered first, if there is one. */
async function saveNow(): Promise<SaveWindow | null> {
  const outcome = await saveToLibrary();
  switch (outcome?.kind) {
    case 'saved':
      tell('good', `Saved version ${outcome.version}`);
      return null;
    case 'sign-in':
      return { at: 'sign-in', for: 'save' };
    case 'account':
      return { at: 'account' };
    case 'name':
      return { at: 'name', error: outcome.error };
    case 'problems':
      return { at: 'problems', problems: outcome.problems };
    default:
      return null;
  }
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
