import { isLinear, type Symbology } from '#fill/package/symbologies.ts';
import { commonText, editSelected } from '../../inspector/edit-selected.ts';
import { type Reading, useTypedText } from '../../inspector/typed-text.ts';
import { Combobox, type ComboboxOption } from '../../ui/combobox.tsx';
import type { SectionProps } from '../kind-view.ts';
import {
  findSymbology,
  inOrder,
  SYMBOLOGY_NAMES,
  searchSymbologies,
  symbologyName,
} from './symbology-names.ts';

/** Finds a symbology by its name, its identifier, another name or a part of one. */
export function SymbologyField({ overlays }: SectionProps) {
  const symbology = commonText(overlays, 'symbology') as Symbology | undefined;
  const typed = useTypedText({
    label: 'Symbology',
    shown: symbology === undefined ? '' : symbologyName(symbology),
    read: readSymbology,
    onCommit: (name) => {
      if (name === symbology) return;
      editSelected('symbology', (overlay) => {
        if (overlay.type !== 'barcode') return overlay;
        const { human_readable, ...rest } = overlay;
        // Only linear symbologies have a text below.
        return { ...rest, symbology: name, ...(human_readable && isLinear(name) && { human_readable }) };
      });
    },
  });
  const isSearching = typed.isTyping && typed.text.trim() !== '';
  return (
    <Combobox
      label="Symbology"
      placeholder={symbology === undefined ? 'Mixed' : 'Search: EAN-13, QR, GS1…'}
      text={typed.text}
      options={isSearching ? searchSymbologies(typed.text).map(found) : inOrder().map(listed)}
      chosen={symbology}
      error={typed.problem}
      onType={typed.setText}
      onChoose={(name) => typed.commitText(symbologyName(name as Symbology))}
      onCommit={typed.commit}
      onEscape={typed.discard}
    />
  );
}

const found = (symbology: Symbology): ComboboxOption => ({
  value: symbology,
  label: symbologyName(symbology),
});
const listed = (symbology: Symbology): ComboboxOption => ({
  ...found(symbology),
  group: SYMBOLOGY_NAMES[symbology][1],
});

const SHOWN = 4;

function readSymbology(text: string): Reading<Symbology> {
  const matches = searchSymbologies(text);
  const value = findSymbology(text) ?? (matches.length === 1 ? matches[0] : undefined);
  if (value !== undefined) return { value };
  if (text.trim() === '') return { problem: 'Choose a symbology.' };
  if (matches.length === 0) return { problem: `No symbology is called “${text.trim()}”.` };
  const names = matches.slice(0, SHOWN).map(symbologyName).join(', ');
  const more = matches.length > SHOWN ? ` and ${matches.length - SHOWN} more` : '';
  return { problem: `Choose one of ${names}${more}.` };
}
