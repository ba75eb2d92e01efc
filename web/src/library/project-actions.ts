import { tell, tellError } from '../ui/messages.tsx';
import { binProject, duplicateProject, type ProjectPlace, restoreProject } from './library-api.ts';

export async function duplicate(place: ProjectPlace): Promise<void> {
  const { name } = await duplicateProject(place);
  tell('good', `Created ${name}`);
}

/** Deletes a project and offers to restore it. `changed` is called after the restore. */
export async function deleteWithUndo(place: ProjectPlace, name: string, changed: () => void): Promise<void> {
  await binProject(place);
  const undo = async () => {
    const restored = await restoreProject(place);
    tell('good', `Restored ${restored.name}`);
    changed();
  };
  tell('good', `Deleted ${name}`, { undo: () => void undo().catch(tellError) });
}
