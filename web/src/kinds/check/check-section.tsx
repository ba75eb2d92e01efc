import { useState } from 'react';
import { ColorField } from '../../inspector/color-field.tsx';
import { commonText, setMember, setOptional } from '../../inspector/edit-selected.ts';
import { Section } from '../../inspector/section.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import type { SectionProps } from '../kind-view.ts';

export function CheckSection({ overlays }: SectionProps) {
  const [onValue, setOnValue] = useState<string | null>(null);
  const value = commonText(overlays, 'on_value') ?? '';
  return (
    <Section title="Check mark">
      <SelectField
        label="Mark"
        value={commonText(overlays, 'mark') ?? ''}
        onChange={(event) => setMember('mark', 'mark', event.target.value)}
      >
        {commonText(overlays, 'mark') === undefined && <option value="">Mixed</option>}
        <option value="check">Tick</option>
        <option value="cross">Cross</option>
        <option value="dot">Dot</option>
        <option value="square">Square</option>
      </SelectField>
      <TextField
        label="Also drawn for the value"
        hint="true, yes, y, 1, x, on and ✓ always draw it."
        value={onValue ?? value}
        onChange={(event) => setOnValue(event.target.value)}
        onBlur={() => {
          if (onValue !== null && onValue !== value)
            setOptional('mark', 'on_value', onValue === '' ? undefined : onValue);
          setOnValue(null);
        }}
      />
      <ColorField
        label="Colour"
        value={commonText(overlays, 'color')}
        onCommit={(next) => setMember('colour', 'color', next)}
      />
    </Section>
  );
}
