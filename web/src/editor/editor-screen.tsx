import { useEffect, useState } from 'react';
import { openDraft } from '../drafts/open-draft.ts';
import { Header } from '../shell/header.tsx';
import { Link } from '../shell/link.tsx';
import { EmptyState } from '../ui/badge.tsx';
import { tellError } from '../ui/messages.tsx';
import { Waiting } from '../ui/waiting.tsx';
import { useEditor } from './editor-store.ts';
import { Workspace } from './workspace.tsx';

/** Opens the project of the current address: the one in memory, or its draft in this browser. */
export function EditorScreen({ projectId }: { projectId: string }) {
  const openId = useEditor((editor) => editor.project?.id);
  const [missing, setMissing] = useState(false);
  useEffect(() => {
    if (useEditor.getState().project?.id === projectId) return;
    let stale = false;
    openDraft(projectId, () => stale).then(
      (found) => {
        if (!stale && !found) setMissing(true);
      },
      (error: unknown) => {
        if (stale) return;
        setMissing(true);
        tellError(error);
      },
    );
    return () => {
      stale = true;
    };
  }, [projectId]);
  if (openId === projectId) return <Workspace />;
  return (
    <>
      <Header />
      <main>
        <h1 className="visually-hidden">Editor</h1>
        {missing ? (
          <EmptyState
            title="This project is not in this browser"
            action={<Link to="/">Go to the start screen</Link>}
          >
            Projects are stored in the browser that created them. To continue here, open the saved package
            (.doqlo) and its PDF on the start screen.
          </EmptyState>
        ) : (
          <Waiting label="Opening the project" />
        )}
      </main>
    </>
  );
}
