import type { Overlay } from '#fill/package/layout-schema.ts';
import { changeSelected, unlockedSelected } from '../canvas/commands/selected.ts';
import { quantiseAngle } from '../core/geometry/quantise.ts';
import { formatLength, parseLength, type Unit } from '../core/geometry/units.ts';
import { findOverlays } from '../core/overlays/find-overlays.ts';
import { patchOverlays, withMembers } from '../core/overlays/patch-overlays.ts';
import { useEditor } from '../editor/editor-store.ts';
import { common, setMember } from './edit-selected.ts';
import styles from './inspector.module.css';
import { NumberField } from './number-field.tsx';
import { Section, Segments } from './section.tsx';

const UNITS: readonly { value: Unit; label: string }[] = [
  { value: 'pt', label: 'pt' },
  { value: 'mm', label: 'mm' },
  { value: 'in', label: 'in' },
];
const STEP: Readonly<Record<Unit, number>> = { pt: 1, mm: 72 / 25.4, in: 7.2 };
const LENGTHS = [
  ['x', 'X', 'x'],
  ['y', 'Y', 'y'],
  ['width', 'W', 'width'],
  ['height', 'H', 'height'],
] as const;

/** Updates during a drag; the rest of the inspector updates when it ends. */
export function PositionSection() {
  const layout = useEditor((editor) => editor.layout);
  const selection = useEditor((editor) => editor.selection);
  const unit = useEditor((editor) => editor.unit);
  const { setUnit } = useEditor.getState();
  const overlays = layout === null ? [] : findOverlays(layout, selection);
  const fixed = unlockedSelected().length === 0;
  const set = (verb: string, members: Partial<Overlay>) =>
    changeSelected(verb, (before, chosen) =>
      patchOverlays(
        before,
        chosen.map(({ id }) => id),
        (overlay) => withMembers(overlay, members),
      ),
    );
  return (
    <Section
      title="Position"
      aside={<Segments label="Unit" choices={UNITS} value={unit} onChoose={setUnit} />}
    >
      <div className={styles.pairs}>
        {LENGTHS.map(([name, mark, label]) => (
          <NumberField
            key={name}
            label={label}
            mark={mark}
            unit={unit}
            value={common(overlays, (overlay) => overlay[name])}
            step={STEP[unit]}
            min={name === 'x' || name === 'y' ? -20_000 : 0.1}
            max={20_000}
            disabled={fixed}
            format={(points) => formatLength(points, unit)}
            parse={(text) => parseLength(text, unit)}
            onCommit={(value) => set(`Set ${label} of`, { [name]: value })}
          />
        ))}
        <NumberField
          label="Rotation in degrees"
          mark="∠"
          unit="°"
          value={common(overlays, ({ rotation }) => rotation)}
          min={-360}
          max={360}
          disabled={fixed}
          onCommit={(value) => set('Rotate', { rotation: quantiseAngle(value) })}
        />
        <NumberField
          label="Opacity in percent"
          mark="◐"
          unit="%"
          value={common(overlays, ({ opacity }) => Math.round(opacity * 100))}
          min={0}
          max={100}
          onCommit={(value) => setMember('opacity', 'opacity', value / 100)}
        />
      </div>
      {fixed && <p className={styles.note}>Locked: unlock it to move it.</p>}
    </Section>
  );
}
