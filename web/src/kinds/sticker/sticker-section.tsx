import { ColorField } from '../../inspector/color-field.tsx';
import { commonText, setMember } from '../../inspector/edit-selected.ts';
import { Section } from '../../inspector/section.tsx';
import { textUpTo, typedInput, useTypedText } from '../../inspector/typed-text.ts';
import { TextField } from '../../ui/field.tsx';
import type { SectionProps } from '../kind-view.ts';

export function StickerSection({ overlays }: SectionProps) {
  const typed = useTypedText({
    label: 'Label',
    shown: commonText(overlays, 'label') ?? '',
    read: (text) => (text.trim() === '' ? { problem: 'Enter a label.' } : textUpTo(60)(text)),
    onCommit: (label) => setMember('label', 'label', label),
  });
  return (
    <Section title="Sticker">
      <TextField label="Label" hint="Drawn only in runs that include stickers." {...typedInput(typed)} />
      <ColorField
        label="Colour"
        value={commonText(overlays, 'color')}
        onCommit={(next) => setMember('colour', 'color', next)}
      />
    </Section>
  );
}
