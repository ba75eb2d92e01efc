import { groupOf } from '../../core/overlays/choice-groups.ts';
import { ColorField } from '../../inspector/color-field.tsx';
import { commonText, setMember, setOptional } from '../../inspector/edit-selected.ts';
import { Section } from '../../inspector/section.tsx';
import { textUpTo, typedInput, useTypedText } from '../../inspector/typed-text.ts';
import { SelectField, TextField } from '../../ui/field.tsx';
import type { SectionProps } from '../kind-view.ts';

const ON_VALUE = 'Also drawn for the value';

export function CheckSection({ overlays }: SectionProps) {
  const typed = useTypedText({
    label: ON_VALUE,
    shown: commonText(overlays, 'on_value') ?? '',
    read: textUpTo(1000),
    onCommit: (value) => setOptional('mark', 'on_value', value === '' ? undefined : value),
  });
  // The section of the choice group has the values of its boxes.
  const isGrouped = overlays.some((overlay) => groupOf(overlay) !== undefined);
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
      {!isGrouped && (
        <TextField
          label={ON_VALUE}
          hint="true, yes, y, 1, x, on and ✓ always draw it."
          {...typedInput(typed)}
        />
      )}
      <ColorField
        label="Colour"
        value={commonText(overlays, 'color')}
        onCommit={(next) => setMember('colour', 'color', next)}
      />
    </Section>
  );
}
