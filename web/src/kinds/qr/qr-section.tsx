import { CodeCheck } from '../../inspector/code-check.tsx';
import { ColorField } from '../../inspector/color-field.tsx';
import { commonText, setMember } from '../../inspector/edit-selected.ts';
import styles from '../../inspector/inspector.module.css';
import { Section, Segments } from '../../inspector/section.tsx';
import type { SectionProps } from '../kind-view.ts';

const ECC = [
  { value: 'L', label: 'L' },
  { value: 'M', label: 'M' },
  { value: 'Q', label: 'Q' },
  { value: 'H', label: 'H' },
] as const;

export function QrSection({ overlays }: SectionProps) {
  return (
    <Section title="QR code">
      <Segments
        label="Error correction"
        choices={ECC}
        value={commonText(overlays, 'ecc') as 'L' | undefined}
        onChoose={(value) => setMember('error correction', 'ecc', value)}
      />
      <p className={styles.note}>Higher levels survive more damage and need more room.</p>
      <ColorField
        label="Colour"
        value={commonText(overlays, 'color')}
        onCommit={(value) => setMember('colour', 'color', value)}
      />
      <CodeCheck overlays={overlays} />
    </Section>
  );
}
