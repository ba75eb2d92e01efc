import type { Overlay } from '#fill/package/layout-schema.ts';
import { common, editSelected, member, setOptional } from '../../inspector/edit-selected.ts';
import styles from '../../inspector/inspector.module.css';
import { NumberField } from '../../inspector/number-field.tsx';
import { Section } from '../../inspector/section.tsx';
import { Switch } from '../../ui/field.tsx';
import type { SectionProps } from '../kind-view.ts';

const FEWEST = 2;
const MOST = 200;
const within = (cells: number) => Math.min(MOST, Math.max(FEWEST, Math.round(cells)));

/** Printed cells are roughly as wide as they are high. */
const guessedCells = ({ width, height }: Overlay) => within(width / height);

/** A comb: one character in each of several equal cells. */
export function CombSection({ overlays }: SectionProps) {
  const cells = common(overlays, member('comb')) as number | undefined;
  const isComb = overlays.some((overlay) => member('comb')(overlay) !== undefined);
  const turn = (on: boolean) => {
    if (!on) setOptional('cells', 'comb', undefined);
    else
      editSelected('cells', (overlay) =>
        overlay.type === 'text' ? { ...overlay, comb: overlay.comb ?? guessedCells(overlay) } : overlay,
      );
  };
  return (
    <Section title="Cells">
      <Switch label="One character per cell" checked={isComb} onChange={turn} />
      {isComb && (
        <div className={styles.pairs}>
          <NumberField
            label="Number of cells"
            mark="Cells"
            value={cells}
            min={FEWEST}
            max={MOST}
            whole
            onCommit={(value) => setOptional('cells', 'comb', value)}
          />
        </div>
      )}
    </Section>
  );
}
