import { useState } from 'react';
import { ColorField } from '../../inspector/color-field.tsx';
import { commonText, setMember } from '../../inspector/edit-selected.ts';
import { Section } from '../../inspector/section.tsx';
import { TextField } from '../../ui/field.tsx';
import type { SectionProps } from '../kind-view.ts';

export function StickerSection({ overlays }: SectionProps) {
  const [label, setLabel] = useState<string | null>(null);
  const value = commonText(overlays, 'label') ?? '';
  return (
    <Section title="Sticker">
      <TextField
        label="Label"
        hint="Drawn only in runs that include stickers."
        maxLength={60}
        value={label ?? value}
        onChange={(event) => setLabel(event.target.value)}
        onBlur={() => {
          if (label !== null && label.trim() !== '' && label !== value) setMember('label', 'label', label);
          setLabel(null);
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
