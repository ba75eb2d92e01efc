import { setLocked, useCanvas } from '../canvas/canvas-store.ts';
import { patchOverlays } from '../core/overlays/patch-overlays.ts';
import { useEditor } from '../editor/editor-store.ts';
import { TextField } from '../ui/field.tsx';
import { type Reading, textUpTo, typedInput, useTypedText } from './typed-text.ts';

/** Reads a new id for a field: one that no other field has. */
export function useIdReading(id: string): (text: string) => Reading<string> {
  const layout = useEditor((editor) => editor.project?.layout);
  return (text) => {
    const wanted = text.trim();
    if (wanted === '') return { problem: 'Enter an id.' };
    const others = [...(layout?.overlays ?? []), ...(layout?.form_fields ?? [])];
    if (wanted !== id && others.some((other) => other.id === wanted))
      return { problem: 'Another field has this id.' };
    return textUpTo(100)(wanted);
  };
}

export function renameOverlay(id: string, wanted: string): void {
  if (wanted === id) return;
  const { change, project } = useEditor.getState();
  if (useCanvas.getState().locked.has(id) && project !== null) setLocked(project.id, [wanted], true);
  change(
    `Rename ${id} to ${wanted}`,
    (before) => patchOverlays(before, [id], (overlay) => ({ ...overlay, id: wanted })),
    [wanted],
  );
}

/** Edits the id that identifies the field in row warnings and the manifest. */
export function RenameField({ id }: { id: string }) {
  const read = useIdReading(id);
  const typed = useTypedText({
    label: 'Id',
    shown: id,
    read,
    onCommit: (wanted) => renameOverlay(id, wanted),
  });
  return <TextField label="Id" hint="Row warnings name the field by it." {...typedInput(typed)} />;
}
