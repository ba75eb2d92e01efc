import { selectField } from '../canvas/commands/select-field.ts';
import { useEditor } from '../editor/editor-store.ts';
import { Dialog } from '../ui/dialog.tsx';
import { ChangeList } from './change-list.tsx';
import { type LayoutChange, layoutChanges } from './layout-changes.ts';

/** A readable difference between the layout on the screen and the version that was saved last. */
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
      <ChangeList
        changes={changes}
        none={saved === null ? 'The layout is empty.' : 'The last saved version is up to date.'}
        onShow={(id) => {
          selectField(id);
          onClose();
        }}
      />
    </Dialog>
  );
}
