import { BringToFront, CopyPlus, Lock, LockOpen, SendToBack, Trash2 } from 'lucide-react';
import type { Overlay } from '#fill/package/layout-schema.ts';
import { useCanvas } from '../canvas/canvas-store.ts';
import { restackSelected } from '../canvas/commands/arrange.ts';
import { deleteSelected, duplicateSelected, toggleLock } from '../canvas/commands/copies.ts';
import { goToPage } from '../canvas/commands/go-to-overlay.ts';
import { useEditor } from '../editor/editor-store.ts';
import { IconButton } from '../ui/button.tsx';
import { common, setMember } from './edit-selected.ts';
import styles from './inspector.module.css';
import { NumberField } from './number-field.tsx';
import { RenameField } from './rename-field.tsx';
import { Section } from './section.tsx';

/** The page, stacking order, lock and id of the field. */
export function OrderSection({ overlays }: { overlays: readonly Overlay[] }) {
  const pageCount = useEditor((editor) => editor.project?.source.pages.length ?? 1);
  const locked = useCanvas((canvas) => overlays.every(({ id }) => canvas.locked.has(id)));
  const [only] = overlays;
  return (
    <Section title="Arrange">
      <div className={styles.row}>
        <NumberField
          label="Page"
          mark="Page"
          unit={`of ${pageCount}`}
          value={common(overlays, ({ page }) => page)}
          min={1}
          max={pageCount}
          whole
          disabled={locked}
          onCommit={(page) => {
            setMember('page', 'page', page);
            goToPage(page);
          }}
        />
      </div>
      <div className={styles.row}>
        <IconButton label="Bring to front" onClick={() => restackSelected('front')}>
          <BringToFront size={16} />
        </IconButton>
        <IconButton label="Send to back" onClick={() => restackSelected('back')}>
          <SendToBack size={16} />
        </IconButton>
        <IconButton label="Duplicate" onClick={duplicateSelected}>
          <CopyPlus size={16} />
        </IconButton>
        <IconButton label={locked ? 'Unlock' : 'Lock'} pressed={locked} onClick={toggleLock}>
          {locked ? <Lock size={16} /> : <LockOpen size={16} />}
        </IconButton>
        <IconButton label="Delete" resting={locked} onClick={() => deleteSelected()}>
          <Trash2 size={16} />
        </IconButton>
      </div>
      {overlays.length === 1 && only !== undefined && <RenameField key={only.id} id={only.id} />}
    </Section>
  );
}
