import { addProposed } from '../core/detect/proposed-overlays.ts';
import { useEditor } from '../editor/editor-store.ts';
import { say, tell } from '../ui/messages.tsx';
import { type ReviewItem, removeItems, useDetect } from './detect-store.ts';
import { columnsOf } from './review-matches.ts';

/** Turns items into ordinary fields, all in one undoable step. */
export function acceptItems(accepted: readonly ReviewItem[]): void {
  const { project, rows, change } = useEditor.getState();
  if (project === null || accepted.length === 0) return;
  const { items } = useDetect.getState();
  const columns = columnsOf(items, project.layout, rows?.columnCount ?? 0);
  const wanted = new Set(accepted.map(({ id }) => id));
  const reviewed = items.flatMap(({ id, proposal, name }, index) =>
    wanted.has(id) ? [{ proposal, name, column: columns[index]?.column ?? null }] : [],
  );
  const { layout, leftOut } = addProposed(project.layout, reviewed);
  const [first] = reviewed;
  const label =
    reviewed.length === 1 && first !== undefined && first.name !== ''
      ? `Add ${first.name}`
      : `Add ${reviewed.length} detected ${reviewed.length === 1 ? 'field' : 'fields'}`;
  change(label, () => layout, []);
  removeItems(wanted);
  if (leftOut > 0) tell('bad', `${leftOut} fields were not added, because a layout has at most 2,000.`);
}

export function rejectItems(rejected: readonly ReviewItem[]): void {
  removeItems(new Set(rejected.map(({ id }) => id)));
  say(
    rejected.length === 1
      ? `Rejected ${rejected[0]?.name || 'a field'}`
      : `Rejected ${rejected.length} fields`,
  );
}
