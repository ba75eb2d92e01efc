import { lazy, Suspense } from 'react';
import { DetectSection } from '../detect/detect-section.tsx';
import { useDetect } from '../detect/detect-store.ts';
import { type Panel, useEditor } from '../editor/editor-store.ts';
import { FieldList } from './field-list.tsx';
import styles from './fields.module.css';

const DataPanel = lazy(async () => ({ default: (await import('../data/data-panel.tsx')).DataPanel }));

const TABS: readonly (readonly [Panel, string])[] = [
  ['fields', 'Fields'],
  ['data', 'Data'],
];

export function SidePanel() {
  const panel = useEditor((editor) => editor.panel);
  const { showPanel } = useEditor.getState();
  return (
    <aside aria-label="Fields and data" data-side="left" className={styles.panel}>
      <div role="tablist" aria-label="Fields and data" className={styles.tabs}>
        {TABS.map(([id, label]) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={`tab-${id}`}
            aria-selected={panel === id}
            aria-controls="side-panel"
            tabIndex={panel === id ? 0 : -1}
            onClick={() => showPanel(id)}
            onKeyDown={(event) => {
              if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
              const other = panel === 'fields' ? 'data' : 'fields';
              showPanel(other);
              document.getElementById(`tab-${other}`)?.focus();
            }}
          >
            {label}
          </button>
        ))}
      </div>
      <div role="tabpanel" id="side-panel" aria-labelledby={`tab-${panel}`} className={styles.content}>
        {panel === 'data' ? (
          <>
            <h2 className="visually-hidden">Data</h2>
            <Suspense fallback={null}>
              <DataPanel />
            </Suspense>
          </>
        ) : (
          <FieldsContent />
        )}
      </div>
    </aside>
  );
}

/** Proposed fields, then placed ones. During a review, the advice for an empty list would only push them apart. */
function FieldsContent() {
  const isReviewing = useDetect((detect) => detect.items.length > 0);
  const isEmpty = useEditor(({ project }) => project?.layout.overlays.length === 0);
  return (
    <>
      <DetectSection />
      {!(isReviewing && isEmpty) && <FieldList />}
    </>
  );
}
