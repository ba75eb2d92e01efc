import { useEffect, useState } from 'react';
import { useEditor } from '../editor/editor-store.ts';
import { tellError } from '../ui/messages.tsx';
import { type FieldPlace, fieldPlace } from './field-place.ts';
import { usePreview } from './preview-store.ts';

/** The place of the highlighted field; null if no field is highlighted or it is not on a page. */
export function usePointedPlace(): { readonly id: string; readonly place: FieldPlace } | null {
  const pointed = usePreview((preview) => preview.pointed);
  const project = useEditor((editor) => editor.project);
  const [found, setFound] = useState<{ readonly id: string; readonly place: FieldPlace } | null>(null);
  useEffect(() => {
    let gone = false;
    const place = pointed === null || project === null ? null : fieldPlace(project, pointed.id);
    Promise.resolve(place).then((where) => {
      if (!gone) setFound(where === null || pointed === null ? null : { id: pointed.id, place: where });
    }, tellError);
    return () => {
      gone = true;
    };
  }, [pointed, project]);
  return found;
}
