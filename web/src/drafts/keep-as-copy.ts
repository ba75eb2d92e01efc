import { MAX_KEPT_BYTES } from '../data/pictures/picture-set.ts';
import { draftRows } from '../data/rows-intake.ts';
import { useEditor } from '../editor/editor-store.ts';
import { useWork } from '../project/work-store.ts';
import { go } from '../shell/router.ts';
import { tell } from '../ui/messages.tsx';
import { saveDraft, saveDraftPictures, saveDraftRows, saveDraftSource } from './drafts.ts';
import { newId } from './new-id.ts';

/** Saves the project on the screen as a new project. The other version stays unchanged. */
export async function keepAsCopy(): Promise<void> {
  const { project, rowsReading, previewRow } = useEditor.getState();
  const { run, thumbnail, guides, pictures } = useWork.getState();
  // Includes a rows file whose columns or encoding are not confirmed yet.
  const rowsFile = draftRows();
  if (project === null) return;
  const { layout, assets, differences, source } = project;
  const id = newId();
  const name = `${project.name} (copy)`.slice(0, 200);
  await saveDraftSource(id, source);
  if (rowsFile !== null) await saveDraftRows(id, rowsFile);
  if (pictures !== null && pictures.bytes <= MAX_KEPT_BYTES) await saveDraftPictures(id, pictures);
  await saveDraft(
    id,
    {
      name,
      layout,
      savedLayout: null,
      savedName: null,
      assets,
      differences,
      rowsReading,
      previewRow,
      request: null,
      run: { ...run, webhook: null },
      guides,
    },
    { pageCount: source.metadata.page_count, rowsFileName: rowsFile?.fileName ?? null, thumbnail },
  );
  go(`/editor/${id}`);
  tell('good', `Saved as ${name}`);
}
