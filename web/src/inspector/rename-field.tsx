import { useState } from 'react';
import { setLocked, useCanvas } from '../canvas/canvas-store.ts';
import { patchOverlays } from '../core/overlays/patch-overlays.ts';
import { useEditor } from '../editor/editor-store.ts';
import { TextField } from '../ui/field.tsx';

/** Edits the id that identifies the field in row warnings and the manifest. */
export function RenameField({ id }: { id: string }) {
  const [text, setText] = useState<string | null>(null);
  const layout = useEditor((editor) => editor.project?.layout);
  const wanted = (text ?? id).trim();
  const taken = [...(layout?.overlays ?? []), ...(layout?.form_fields ?? [])].some(
    (other) => other.id === wanted && wanted !== id,
  );
  const commit = () => {
    if (text === null || taken || wanted === '' || wanted === id) {
      setText(null);
      return;
    }
    const { change, project } = useEditor.getState();
    if (useCanvas.getState().locked.has(id) && project !== null) setLocked(project.id, [wanted], true);
    change(
      `Rename ${id} to ${wanted}`,
      (before) => patchOverlays(before, [id], (overlay) => ({ ...overlay, id: wanted })),
      [wanted],
    );
    setText(null);
  };
  return (
    <TextField
      label="Id"
      hint="Row warnings name the field by it."
      error={taken ? 'Another field has this id.' : undefined}
      maxLength={100}
      value={text ?? id}
      onChange={(event) => setText(event.target.value)}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === 'Enter') commit();
      }}
    />
  );
}
