import { memo } from 'react';
import { useShallow } from 'zustand/react/shallow';
import type { Layout, Overlay } from '#fill/package/layout-schema.ts';
import { badges } from '../../core/overlays/badges.ts';
import { groupMates } from '../../core/overlays/choice-groups.ts';
import { findOverlay, levelOf } from '../../core/overlays/find-overlays.ts';
import { overlayWords } from '../../core/overlays/value-words.ts';
import { useEditor } from '../../editor/editor-store.ts';
import { toolOf } from '../../kinds/tools.ts';
import { overlayElementId } from '../canvas-host.ts';
import { useCanvas } from '../canvas-store.ts';
import { OverlayContent } from '../content/overlay-content.tsx';
import { isShown, shownOverlay } from '../content/shown-value.ts';
import styles from './canvas.module.css';
import { boxStyle } from './scaled-style.ts';

const sets = new WeakMap<readonly string[], ReadonlySet<string>>();

function isSelected(selection: readonly string[], id: string): boolean {
  const known = sets.get(selection) ?? new Set(selection);
  sets.set(selection, known);
  return known.has(id);
}

const NO_ASSETS: ReadonlyMap<string, Uint8Array> = new Map();

/**
 * One overlay. It subscribes only to its own changes, so dragging one does not re-render hundreds of others. Pointer
 * events are handled by the canvas; a click on the button comes from the keyboard or a screen reader.
 */
export const OverlayView = memo(function OverlayView({ id }: { id: string }) {
  // A single subscription: with hundreds of overlays, each further one slows down every pointer move.
  const { overlay, level, selected, cells, assets } = useEditor(
    useShallow(({ layout, project, selection, previewCells }) => ({
      overlay: layout === null ? undefined : findOverlay(layout, id),
      level: layout === null ? 0 : levelOf(layout, id),
      selected: isSelected(selection, id),
      cells: previewCells,
      columns: layout?.columns, // labels replace values while there are no rows
      assets: project?.assets ?? NO_ASSETS,
    })),
  );
  const locked = useCanvas((canvas) => canvas.locked.has(id));
  const { layout } = useEditor.getState();
  if (overlay === undefined || layout === null) return null;
  const family = familyOf(overlay);
  return (
    <button
      type="button"
      id={overlayElementId(id)}
      data-overlay={id}
      className={`${styles.overlay} ${styles[family]} ${isShown(overlay, cells) ? '' : styles.hiddenByRow}`}
      aria-label={`${shownBefore(layout, overlay, cells)}${overlayWords(layout, overlay, locked)}`}
      aria-pressed={selected}
      style={{
        ...boxStyle(overlay),
        zIndex: level + 1,
        ...(overlay.rotation === 0 ? {} : { rotate: `${overlay.rotation}deg` }),
      }}
      onClick={(event) => {
        if (event.detail > 0) return;
        const { selection, select } = useEditor.getState();
        const mates = groupMates(layout, id);
        if (!event.shiftKey) select(selected && selection.length === mates.length ? [id] : mates);
        else select(selected ? selection.filter((other) => other !== id) : [...selection, id]);
      }}
      onFocus={() => {
        const { selection, select } = useEditor.getState();
        if (!selection.includes(id) && document.activeElement?.matches(':focus-visible'))
          select(groupMates(layout, id));
      }}
    >
      <span className={styles.content} style={{ opacity: overlay.opacity }}>
        <OverlayContent layout={layout} overlay={overlay} cells={cells} assets={assets} />
      </span>
      <span aria-hidden="true" className={styles.badge} data-badge={badges(layout).get(id)} />
    </button>
  );
});

function familyOf(overlay: Overlay): 'ofCode' | 'ofPicture' | 'ofText' {
  const { traits } = toolOf(overlay);
  if (traits.isCode) return 'ofCode';
  return traits.isPicture ? 'ofPicture' : 'ofText';
}

/** The visible text begins the accessible name (WCAG 2.2, 2.5.3), so that speech control finds the field. A static text is in the name anyway. */
function shownBefore(layout: Layout, overlay: Overlay, cells: readonly string[]): string {
  if (!toolOf(overlay).traits.isReadable || overlay.value === undefined || 'static' in overlay.value)
    return '';
  const { text, isPlaceholder } = shownOverlay(layout, overlay, cells);
  return isPlaceholder || text === '' ? '' : `${text}, `;
}
