import type { Overlay } from '#fill/package/layout-schema.ts';
import { focusOverlay } from '../canvas/canvas-host.ts';
import { findOverlays } from '../core/overlays/find-overlays.ts';
import { badges, KINDS } from '../core/overlays/overlay-kinds.ts';
import { useEditor } from '../editor/editor-store.ts';
import { common, setOptional } from './edit-selected.ts';
import { FormFieldsPanel } from './form-fields-panel.tsx';
import { FormatSection } from './format-section.tsx';
import styles from './inspector.module.css';
import { BarcodeSection, CheckSection, PictureSection, QrSection, StickerSection } from './kind-sections.tsx';
import { OrderSection } from './order-section.tsx';
import { PositionSection } from './position-section.tsx';
import { ProjectFacts } from './project-facts.tsx';
import { Section } from './section.tsx';
import { ShowIfSection } from './show-if-section.tsx';
import { TypeSection } from './type-section.tsx';
import { ValueEditor } from './value-editor.tsx';
import { WarningsPanel } from './warnings-panel.tsx';

/** What is selected, and everything that can be changed about it; of nothing selected, the page and the file. */
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
        // Back to where Enter led here from. The canvas would take Escape for "select nothing".
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
        <Selected key={overlays.map(({ id }) => id).join('\n')} overlays={overlays} />
      )}
      <WarningsPanel />
    </aside>
  );
}

function Selected({ overlays }: { overlays: readonly Overlay[] }) {
  const all = (...types: readonly Overlay['type'][]) => overlays.every(({ type }) => types.includes(type));
  const value = common(overlays, (overlay) => overlay.value);
  return (
    <>
      <Title overlays={overlays} />
      <PositionSection />
      {!all('sticker') && (
        <Section title={VALUE_TITLES[overlays[0]?.type ?? 'text'] ?? 'Value'}>
          <ValueEditor value={value} onChange={(next) => setOptional('value', 'value', next)} />
        </Section>
      )}
      {all('text', 'date') && <TypeSection overlays={overlays} />}
      {all('text', 'date', 'qr', 'barcode') && <FormatSection overlays={overlays} />}
      {all('qr') && <QrSection overlays={overlays} />}
      {all('barcode') && <BarcodeSection overlays={overlays} />}
      {all('check') && <CheckSection overlays={overlays} />}
      {all('sticker') && <StickerSection overlays={overlays} />}
      {all('image', 'signature', 'sticker') && <PictureSection overlays={overlays} />}
      <ShowIfSection overlays={overlays} />
      <OrderSection overlays={overlays} />
    </>
  );
}

const VALUE_TITLES: Partial<Record<Overlay['type'], string>> = {
  image: 'Picture from',
  signature: 'Name or picture',
  check: 'Ticked by',
};

function Title({ overlays }: { overlays: readonly Overlay[] }) {
  const layout = useEditor((editor) => editor.project?.layout);
  const [first] = overlays;
  if (first === undefined || layout === undefined) return null;
  const kind = common(overlays, ({ type }) => type);
  const name = kind === undefined ? 'fields' : KINDS[kind].name;
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
