import { Lock, LockOpen, Trash2 } from 'lucide-react';
import type { Layout, Overlay } from '#fill/package/layout-schema.ts';
import { setLocked, useCanvas } from '../canvas/canvas-store.ts';
import { deleteSelected } from '../canvas/commands/copies.ts';
import { goToOverlay } from '../canvas/commands/go-to-overlay.ts';
import { badges } from '../core/overlays/badges.ts';
import { sourceWords } from '../core/overlays/value-words.ts';
import { useEditor } from '../editor/editor-store.ts';
import { toolOf } from '../kinds/tools.ts';
import { EmptyState } from '../ui/badge.tsx';
import { IconButton } from '../ui/button.tsx';
import { say } from '../ui/messages.tsx';
import styles from './fields.module.css';

/** All overlays by page, the topmost first. */
export function FieldList() {
  const layout = useEditor((editor) => editor.project?.layout);
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
  const pages = [...Map.groupBy(layout.overlays, ({ page }) => page)].sort(([a], [b]) => a - b);
  return pages.map(([page, overlays]) => (
    <section key={page} aria-label={`Fields on page ${page}`} className={styles.group}>
      <h2 className={styles.heading}>Page {page}</h2>
      <ul>
        {overlays.toReversed().map((overlay) => (
          <FieldEntry key={overlay.id} layout={layout} overlay={overlay} />
        ))}
      </ul>
    </section>
  ));
}

function FieldEntry({ layout, overlay }: { layout: Layout; overlay: Overlay }) {
  const { id } = overlay;
  const tool = toolOf(overlay);
  const selected = useEditor((editor) => editor.selection.includes(id));
  const locked = useCanvas((canvas) => canvas.locked.has(id));
  const badge = badges(layout).get(id) ?? id;
  const name = `${tool.name} ${badge}`;
  const words = tool.label?.(overlay) ?? sourceWords(layout, overlay.value);
  return (
    <li className={styles.entry} data-selected={selected}>
      <button
        type="button"
        className={styles.choose}
        aria-pressed={selected}
        onClick={(event) => {
          const { selection, select } = useEditor.getState();
          if (!event.shiftKey) goToOverlay(id);
          else select(selected ? selection.filter((other) => other !== id) : [...selection, id]);
        }}
      >
        <span className={styles.badge}>{badge}</span>
        <span className={styles.words} title={words}>
          {words}
        </span>
      </button>
      <span className={styles.actions}>
        {selected && (
          <IconButton label={`Delete ${name}`} disabled={locked} onClick={() => deleteOne(id)}>
            <Trash2 size={14} />
          </IconButton>
        )}
        {(selected || locked) && (
          <IconButton
            label={locked ? `Unlock ${name}` : `Lock ${name}`}
            onClick={() => {
              setLocked(useEditor.getState().project?.id ?? '', [id], !locked);
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

/** The field that the button names. Other selected fields stay selected. */
function deleteOne(id: string): void {
  const { selection, select } = useEditor.getState();
  select([id]);
  deleteSelected();
  select(selection.filter((other) => other !== id));
}
