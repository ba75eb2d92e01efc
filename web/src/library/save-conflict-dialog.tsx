import { useEffect, useState } from 'react';
import type { SavedVersion } from '#bulkfill/operator-contract.ts';
import type { Layout } from '#fill/package/layout-schema.ts';
import { openDraft } from '../drafts/open-draft.ts';
import { useEditor } from '../editor/editor-store.ts';
import { useWork } from '../project/work-store.ts';
import { ChangeList } from '../saving/change-list.tsx';
import { layoutChanges } from '../saving/layout-changes.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { tell, tellError } from '../ui/messages.tsx';
import { Waiting } from '../ui/waiting.tsx';
import { copyName } from './copy-name.ts';
import { latestVersion, readProject } from './library-api.ts';
import { openVersion, storeVersion } from './load-version.ts';
import { type SaveConflict, showConflict } from './save-conflict.ts';
import { discardServerDraft } from './server-draft.ts';
import { savedWords } from './version-words.ts';

/** Shown when another version was saved since the one on the screen was loaded. Nothing is overwritten. */
export function SaveConflictDialog({
  conflict,
  onSave,
}: {
  conflict: SaveConflict;
  /** Saves what is on the screen. */
  onSave: () => void;
}) {
  const name = useEditor((editor) => editor.project?.name ?? '');
  const [latest, setLatest] = useState<SavedVersion | null>(null);
  const [compares, setCompares] = useState(false);
  const isGone = conflict.version === null;
  useEffect(() => {
    if (!isGone) latestVersion(conflict).then((version) => setLatest(version ?? null), tellError);
  }, [conflict, isGone]);
  const close = () => showConflict(null);
  const reload = async () => {
    await storeVersion(conflict, await readProject(conflict));
    await discardServerDraft(conflict);
    await openDraft(conflict.id);
    close();
    tell('good', `Version ${useWork.getState().library?.version ?? conflict.version} loaded`);
  };
  const saveAsCopy = async () => {
    await discardServerDraft(conflict);
    useWork.setState({ library: null });
    if (!isGone) useEditor.getState().rename(copyName(name));
    close();
    onSave();
  };
  return (
    <Dialog
      question
      wide={compares}
      title={isGone ? 'Deleted on the server' : 'A newer version was saved'}
      onClose={close}
      actions={
        <>
          {!isGone && !compares && <Button onClick={() => setCompares(true)}>Compare</Button>}
          {!isGone && <Button onClick={() => void reload().catch(tellError)}>Load the newer version</Button>}
          <Button look="primary" onClick={() => void saveAsCopy().catch(tellError)}>
            {isGone ? 'Save as a new project' : 'Save mine as a copy'}
          </Button>
        </>
      }
    >
      <p>
        {isGone ? (
          <>
            <strong>{name}</strong> was deleted. What is on the screen is kept as a draft in this browser.
          </>
        ) : (
          <>
            {latest === null ? `Version ${conflict.version}` : savedWords(latest)} of <strong>{name}</strong>{' '}
            is newer than the one you started from. Your changes are kept as a draft, and nothing was
            overwritten.
          </>
        )}
      </p>
      {!isGone && !compares && (
        <p>
          Load the newer version and discard your changes, save yours as a separate project, or compare both
          first.
        </p>
      )}
      {compares && conflict.version !== null && <Compared conflict={conflict} version={conflict.version} />}
    </Dialog>
  );
}

function Compared({ conflict, version }: { conflict: SaveConflict; version: number }) {
  const mine = useEditor((editor) => editor.project?.layout);
  const [theirs, setTheirs] = useState<Layout | null>(null);
  useEffect(() => {
    openVersion(conflict, version).then(({ layout }) => setTheirs(layout), tellError);
  }, [conflict, version]);
  if (mine === undefined || theirs === null) return <Waiting label="Comparing" />;
  return (
    <>
      <h3>From version {version} to what is on the screen</h3>
      <ChangeList changes={layoutChanges(theirs, mine)} none="Both have the same fields and columns." />
    </>
  );
}
