import { useEffect, useState } from 'react';
import { isLibraryId } from '../library/library-api.ts';
import { type Opening, openProject } from '../library/open-project.ts';
import { Header } from '../shell/header.tsx';
import { Link } from '../shell/link.tsx';
import { useSession } from '../shell/session.ts';
import { EmptyState } from '../ui/badge.tsx';
import { tellError } from '../ui/messages.tsx';
import { Waiting } from '../ui/waiting.tsx';
import { useEditor } from './editor-store.ts';
import { Workspace } from './workspace.tsx';

/** Opens the project of the current address: the one in memory, its draft in this browser, or its latest version on the server. */
export function EditorScreen({ projectId }: { projectId: string }) {
  const openId = useEditor((editor) => editor.project?.id);
  const status = useSession((session) => session.status);
  const account = useSession((session) => session.account);
  const [missing, setMissing] = useState<Exclude<Opening, 'opened'> | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a sign-in or another account tries again
  useEffect(() => {
    if (useEditor.getState().project?.id === projectId) return;
    let stale = false;
    setMissing(null);
    openProject(projectId, () => stale).then(
      (opening) => {
        if (!stale && opening !== 'opened') setMissing(opening);
      },
      (error: unknown) => {
        if (stale) return;
        setMissing('missing');
        tellError(error);
      },
    );
    return () => {
      stale = true;
    };
  }, [projectId, status, account]);
  if (openId === projectId) return <Workspace />;
  return (
    <>
      <Header />
      <main>
        <h1 className="visually-hidden">Editor</h1>
        {missing === null ? (
          <Waiting label="Opening the project" />
        ) : (
          <Missing id={projectId} why={missing} />
        )}
      </main>
    </>
  );
}

function Missing({ id, why }: { id: string; why: Exclude<Opening, 'opened'> }) {
  const account = useSession((session) => session.account);
  const start = <Link to="/">Go to the start screen</Link>;
  if (!isLibraryId(id))
    return (
      <EmptyState title="This project is not in this browser" action={start}>
        Projects that were not saved on the server are stored in the browser that created them. To continue
        here, open the exported package (.doqlo) and its PDF on the start screen.
      </EmptyState>
    );
  if (why === 'signed-out')
    return (
      <EmptyState title="Sign in to open this project" action={start}>
        The project is stored on the server. Sign in, and choose the account that it belongs to.
      </EmptyState>
    );
  return (
    <EmptyState title="This project was not found" action={start}>
      It was deleted, or it belongs to another account than {account ?? 'the chosen one'}.
    </EmptyState>
  );
}
