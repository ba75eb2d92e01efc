import { DataPanel } from '../data/data-panel.tsx';
import { type Panel, useEditor } from '../editor/editor-store.ts';
import { FieldList } from './field-list.tsx';
import styles from './fields.module.css';

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
            <DataPanel />
          </>
        ) : (
          <FieldList />
        )}
      </div>
    </aside>
  );
}
