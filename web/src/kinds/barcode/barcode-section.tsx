import { isLinear } from '#fill/package/symbologies.ts';
import { CodeCheck } from '../../inspector/code-check.tsx';
import { ColorField } from '../../inspector/color-field.tsx';
import { common, commonText, member, setMember, setOptional } from '../../inspector/edit-selected.ts';
import { Section } from '../../inspector/section.tsx';
import { Switch } from '../../ui/field.tsx';
import type { SectionProps } from '../kind-view.ts';
import { SymbologyField } from './symbology-field.tsx';

export function BarcodeSection({ overlays }: SectionProps) {
  return (
    <Section title="Barcode">
      <SymbologyField overlays={overlays} />
      {overlays.every((overlay) => overlay.type === 'barcode' && isLinear(overlay.symbology)) && (
        <Switch
          label="Text below the bars"
          checked={common(overlays, member('human_readable')) === true}
          onChange={(checked) =>
            setOptional('text below the bars', 'human_readable', checked ? true : undefined)
          }
        />
      )}
      <ColorField
        label="Colour"
        value={commonText(overlays, 'color')}
        onCommit={(value) => setMember('colour', 'color', value)}
      />
      <CodeCheck overlays={overlays} />
    </Section>
  );
}
