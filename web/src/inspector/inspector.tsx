import { Suspense } from 'react';
import type { Overlay } from '#fill/package/layout-schema.ts';
import { focusOverlay } from '../canvas/canvas-host.ts';
import { badges } from '../core/overlays/badges.ts';
import { groupOf, wholeGroup } from '../core/overlays/choice-groups.ts';
import { findOverlays } from '../core/overlays/find-overlays.ts';
import { useEditor } from '../editor/editor-store.ts';
import { isSticker, TOOLS } from '../kinds/tools.ts';
import { viewOf } from '../kinds/views.tsx';
import { common, setOptional } from './edit-selected.ts';
import { FormFieldsPanel } from './form-fields-panel.tsx';
import styles from './inspector.module.css';
import { OrderSection } from './order-section.tsx';
import { PositionSection } from './position-section.tsx';
import { ProjectFacts } from './project-facts.tsx';
import { Section } from './section.tsx';
import { ShowIfSection } from './show-if-section.tsx';
import { ValueEditor } from './value-editor.tsx';
import { WarningsPanel } from './warnings-panel.tsx';

/** The properties of the selection; without a selection, those of the page and the file. */
export function Inspector() {
  const layout = useEditor((editor) => editor.project?.layout);
  const selection = useEditor((editor) => editor.selection);
  const overlays = layout === undefined ? [] : findOverlays(layout, selection);
  return (
    <aside
      aria-label="Inspector"
      data-side="right"
      data-inspector=""
      className={styles.panel}
      onKeyDown={(event) => {
        const [first] = selection;
        if (event.key !== 'Escape' || first === undefined) return;
        // Returns to the field that Enter came from. The canvas would clear the selection on Escape.
        event.stopPropagation();
        focusOverlay(first);
      }}
    >
      {overlays.length === 0 ? (
        <>
          <ProjectFacts />
          <FormFieldsPanel />
        </>
      ) : (
        // A choice group keeps its inputs, and the focus in them, while boxes are added and removed.
        <Selected
          key={(layout && wholeGroup(layout, overlays)) ?? overlays.map(({ id }) => id).join('\n')}
          overlays={overlays}
        />
      )}
      <WarningsPanel />
    </aside>
  );
}

function Selected({ overlays }: { overlays: readonly Overlay[] }) {
  const value = common(overlays, (overlay) => overlay.value);
  const layout = useEditor((editor) => editor.project?.layout);
  // All boxes of a choice group read the same value, so it can only be changed for all of them.
  const isPartOfGroup =
    layout !== undefined &&
    overlays.some((overlay) => groupOf(overlay) !== undefined) &&
    wholeGroup(layout, overlays) === undefined;
  const views = overlays.map(viewOf);
  const [first] = views;
  const shared = Object.entries(first?.sections ?? {}).filter(([name]) =>
    views.every(({ sections }) => name in sections),
  );
  return (
    <>
      <Title overlays={overlays} />
      <PositionSection />
      {!overlays.every(isSticker) && !isPartOfGroup && overlays.every(({ type }) => type !== 'table') && (
        <Section title={first?.valueTitle ?? 'Value'}>
          <ValueEditor value={value} onChange={(next) => setOptional('value', 'value', next)} />
        </Section>
      )}
      {shared.map(([name, KindSection]) => (
        <Suspense key={name} fallback={null}>
          <KindSection overlays={overlays} />
        </Suspense>
      ))}
      <ShowIfSection overlays={overlays} />
      <OrderSection overlays={overlays} />
    </>
  );
}

function Title({ overlays }: { overlays: readonly Overlay[] }) {
  const layout = useEditor((editor) => editor.project?.layout);
  const [first] = overlays;
  if (first === undefined || layout === undefined) return null;
  const group = wholeGroup(layout, overlays);
  if (group !== undefined)
    return (
      <h2 className={styles.title}>
        Choice group <span className={styles.badge}>{badges(layout).get(first.id)}</span>
      </h2>
    );
  const kind = common(overlays, ({ type }) => type);
  const name = kind === undefined ? 'fields' : TOOLS[kind].name;
  return (
    <h2 className={styles.title}>
      {overlays.length === 1 ? (
        <>
          {name} <span className={styles.badge}>{badges(layout).get(first.id)}</span>
        </>
      ) : (
        `${overlays.length} ${kind === undefined ? 'fields' : `× ${name}`}`
      )}
    </h2>
  );
}
