import { EyeOff, Lock, LockOpen, Pencil, Trash2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { Layout, Overlay } from '#fill/package/layout-schema.ts';
import { setLocked, useCanvas } from '../canvas/canvas-store.ts';
import { deleteSelected } from '../canvas/commands/copies.ts';
import { goToOverlay } from '../canvas/commands/go-to-overlay.ts';
import { isShown, shownOverlay } from '../canvas/content/shown-value.ts';
import { belowOf, isMenuKey, openFieldMenu } from '../canvas/menus/menu-target.ts';
import { badges } from '../core/overlays/badges.ts';
import { groupMates, groupOf } from '../core/overlays/choice-groups.ts';
import { ownName } from '../core/overlays/field-name.ts';
import { readingOrder } from '../core/overlays/reading-order.ts';
import { useEditor } from '../editor/editor-store.ts';
import { toolOf } from '../kinds/tools.ts';
import { EmptyState } from '../ui/badge.tsx';
import { IconButton } from '../ui/button.tsx';
import { say } from '../ui/messages.tsx';
import { EntryName, entryElementId } from './entry-name.tsx';
import styles from './fields.module.css';

/** All overlays by page, in reading order. */
export function FieldList() {
  const layout = useEditor((editor) => editor.project?.layout);
  const overlays = layout?.overlays;
  const pages = useMemo(
    () =>
      [...Map.groupBy(overlays ?? [], ({ page }) => page)]
        .sort(([a], [b]) => a - b)
        .map(([page, list]) => [page, withoutMates(list)] as const),
    [overlays],
  );
  if (layout === undefined) return null;
  const mapped = layout.form_fields.length;
  if (layout.overlays.length === 0)
    return (
      <EmptyState title={mapped === 0 ? 'No fields yet' : 'No fields of your own'}>
        {mapped > 0 &&
          `${mapped === 1 ? '1 field' : `${mapped} fields`} of the PDF’s own form ${mapped === 1 ? 'is' : 'are'} filled; the properties list them. To add more: `}
        {mapped > 0 ? 'choose' : 'Choose'} a tool above, then click or drag on the page. Or drag a column from
        Data onto it.
      </EmptyState>
    );
  return pages.map(([page, list]) => (
    <section key={page} aria-label={`Fields on page ${page}`} className={styles.group}>
      <h2 className={styles.heading}>
        Page {page} <span>{list.length === 1 ? '1 field' : `${list.length} fields`}</span>
      </h2>
      <ul>
        {list.map((overlay) => (
          <FieldEntry
            key={overlay.id}
            layout={layout}
            overlay={overlay}
            ids={groupMates(layout, overlay.id)}
          />
        ))}
      </ul>
    </section>
  ));
}

/** A choice group is one entry per page, at the place of its first box. */
function withoutMates(overlays: readonly Overlay[]): Overlay[] {
  const groups = new Set<string>();
  return readingOrder(overlays).filter((overlay) => {
    const group = groupOf(overlay);
    if (group === undefined) return true;
    const isFirst = !groups.has(group);
    groups.add(group);
    return isFirst;
  });
}

function FieldEntry({
  layout,
  overlay,
  ids,
}: {
  layout: Layout;
  overlay: Overlay;
  /** All boxes of a choice group; otherwise only the overlay. */
  ids: readonly string[];
}) {
  const { id } = overlay;
  const [isRenamed, setRenamed] = useState(false);
  const selected = useEditor((editor) => ids.some((each) => editor.selection.includes(each)));
  const locked = useCanvas((canvas) => ids.every((each) => canvas.locked.has(each)));
  const group = groupOf(overlay);
  const badge = badges(layout).get(id) ?? id;
  const name = group === undefined ? `${toolOf(overlay).name} ${badge}` : `choice group ${group}`;
  const title =
    group === undefined
      ? ownName(layout, overlay)
      : `${group}, ${ids.length === 1 ? '1 choice' : `${ids.length} choices`}`;
  // The inspector renames a choice group.
  const startRenaming = () => group === undefined && setRenamed(true);
  if (isRenamed) return <EntryName id={id} onDone={() => setRenamed(false)} />;
  return (
    <li className={styles.entry} data-selected={selected}>
      <button
        type="button"
        id={entryElementId(id)}
        className={styles.choose}
        aria-pressed={selected}
        onClick={(event) => {
          const { selection, select } = useEditor.getState();
          const others = selection.filter((other) => !ids.includes(other));
          if (!event.shiftKey) goToOverlay(id, ids);
          else select(selected ? others : [...others, ...ids]);
        }}
        onDoubleClick={startRenaming}
        onContextMenu={(event) => {
          event.preventDefault();
          openFieldMenu(ids, { x: event.clientX, y: event.clientY });
        }}
        onKeyDown={(event) => {
          if (event.key === 'F2') startRenaming();
          if (!isMenuKey(event)) return;
          event.preventDefault();
          openFieldMenu(ids, belowOf(event.currentTarget));
        }}
      >
        <span className={styles.first}>
          <span className={styles.name} title={title}>
            {title}
          </span>{' '}
          <span className={styles.badge}>{badge}</span>
        </span>
        <EntryValue layout={layout} overlay={overlay} />
      </button>
      <span className={styles.actions}>
        {selected && (
          <>
            {group === undefined && (
              <IconButton label={`Rename ${name}`} shortcut="F2" onClick={startRenaming}>
                <Pencil size={14} />
              </IconButton>
            )}
            <IconButton label={`Delete ${name}`} disabled={locked} onClick={() => deleteEntry(ids)}>
              <Trash2 size={14} />
            </IconButton>
          </>
        )}
        {(selected || locked) && (
          <IconButton
            label={locked ? `Unlock ${name}` : `Lock ${name}`}
            onClick={() => {
              setLocked(useEditor.getState().project?.id ?? '', ids, !locked);
              say(locked ? `Unlocked ${badge}` : `Locked ${badge}`);
            }}
          >
            {locked ? <Lock size={14} /> : <LockOpen size={14} />}
          </IconButton>
        )}
      </span>
    </li>
  );
}

/** The second line of an entry: the value in the preview row, or the kind of the field without rows. */
function EntryValue({ layout, overlay }: { layout: Layout; overlay: Overlay }) {
  const cells = useEditor((editor) => editor.previewCells);
  if (!isShown(overlay, cells))
    return (
      <span className={styles.value}>
        <EyeOff size={12} aria-hidden="true" /> Hidden in this row
      </span>
    );
  const { text, isPlaceholder } = shownOverlay(layout, overlay, cells);
  const isFromRow = overlay.value !== undefined && !('static' in overlay.value) && !isPlaceholder;
  return (
    <span className={styles.value}>
      <span>{isFromRow ? text.trim() || 'Blank in this row' : toolOf(overlay).name}</span>
    </span>
  );
}

/** Deletes the field, or the choice group, that the button names. Other selected fields stay selected. */
function deleteEntry(ids: readonly string[]): void {
  const { selection, select } = useEditor.getState();
  select(ids);
  deleteSelected();
  select(selection.filter((other) => !ids.includes(other)));
}
