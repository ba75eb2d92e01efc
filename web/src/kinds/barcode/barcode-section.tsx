import { useState } from 'react';
import { isLinear, SYMBOLOGIES, type Symbology } from '#fill/package/symbologies.ts';
import { CodeCheck } from '../../inspector/code-check.tsx';
import { ColorField } from '../../inspector/color-field.tsx';
import {
  common,
  commonText,
  editSelected,
  member,
  setMember,
  setOptional,
} from '../../inspector/edit-selected.ts';
import { Section } from '../../inspector/section.tsx';
import { Switch, TextField } from '../../ui/field.tsx';
import type { SectionProps } from '../kind-view.ts';

export function BarcodeSection({ overlays }: SectionProps) {
  const symbology = commonText(overlays, 'symbology') ?? '';
  const [typed, setTyped] = useState<string | null>(null);
  const shown = typed ?? symbology;
  const known = SYMBOLOGIES.find((name) => name.toLowerCase() === shown.trim().toLowerCase());
  const commit = (name: Symbology | undefined) => {
    if (name === undefined) return;
    setTyped(null);
    if (name === symbology) return;
    editSelected('symbology', (overlay) => {
      if (overlay.type !== 'barcode') return overlay;
      const { human_readable, ...rest } = overlay;
      // Only linear symbologies have a text below.
      return { ...rest, symbology: name, ...(human_readable && isLinear(name) && { human_readable }) };
    });
  };
  return (
    <Section title="Barcode">
      <TextField
        label="Symbology"
        list="symbologies"
        placeholder="Search: ean, pdf417, gs1…"
        value={shown}
        error={
          known === undefined && typed !== null
            ? 'No symbology of that name; choose one from the list.'
            : undefined
        }
        onChange={(event) => {
          setTyped(event.target.value);
          commit(SYMBOLOGIES.find((name) => name === event.target.value));
        }}
        onFocus={(event) => event.target.select()}
        onBlur={() => {
          commit(known);
          setTyped(null);
        }}
      />
      <datalist id="symbologies">
        {SYMBOLOGIES.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
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
