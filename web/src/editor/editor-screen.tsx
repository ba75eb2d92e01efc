import { Header } from '../shell/header.tsx';
import { EmptyState } from '../ui/badge.tsx';
import { useEditor } from './editor-store.ts';

export function EditorScreen({ projectId }: { projectId: string }) {
  const project = useEditor((editor) => editor.project);
  return (
    <>
      <Header />
      <main>
        {project === null && (
          <EmptyState title="No such project">There is no project {projectId} in this browser.</EmptyState>
        )}
      </main>
    </>
  );
}
