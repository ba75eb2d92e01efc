import { useEffect, useState } from 'react';
import { MM } from '#fill/draw/codes/code-size.ts';
import type { Overlay } from '#fill/package/layout-schema.ts';
import { isLinear, SYMBOLOGIES, type Symbology } from '#fill/package/symbologies.ts';
import { drawnWidth, type EncodedCode, encodeCode, smallCode } from '../canvas/content/encode-code.ts';
import { shownValue } from '../canvas/content/shown-value.ts';
import { useEditor } from '../editor/editor-store.ts';
import { FileButton } from '../files/file-button.tsx';
import { SelectField, Switch, TextField } from '../ui/field.tsx';
import { tell, tellError } from '../ui/messages.tsx';
import { assetNameFor } from './asset-name.ts';
import { ColorField } from './color-field.tsx';
import { common, editSelected, member, setMember, setOptional } from './edit-selected.ts';
import styles from './inspector.module.css';
import { Section, Segments } from './section.tsx';
import { ALIGN, VALIGN } from './type-section.tsx';

interface Props {
  readonly overlays: readonly Overlay[];
}

const text = (overlays: readonly Overlay[], name: string) =>
  common(overlays, member(name)) as string | undefined;

const ECC = [
  { value: 'L', label: 'L' },
  { value: 'M', label: 'M' },
  { value: 'Q', label: 'Q' },
  { value: 'H', label: 'H' },
] as const;

export function QrSection({ overlays }: Props) {
  return (
    <Section title="QR code">
      <Segments
        label="Error correction"
        choices={ECC}
        value={text(overlays, 'ecc') as 'L' | undefined}
        onChoose={(value) => setMember('error correction', 'ecc', value)}
      />
      <p className={styles.note}>Higher levels survive more damage and need more room.</p>
      <ColorField
        label="Colour"
        value={text(overlays, 'color')}
        onCommit={(value) => setMember('colour', 'color', value)}
      />
      <CodeCheck overlays={overlays} />
    </Section>
  );
}

export function BarcodeSection({ overlays }: Props) {
  const symbology = text(overlays, 'symbology') ?? '';
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
        value={text(overlays, 'color')}
        onCommit={(value) => setMember('colour', 'color', value)}
      />
      <CodeCheck overlays={overlays} />
    </Section>
  );
}

/** What the engine's encoder says about the value as it stands. */
function CodeCheck({ overlays }: Props) {
  const layout = useEditor((editor) => editor.project?.layout);
  const cells = useEditor((editor) => editor.previewCells);
  const [overlay] = overlays;
  const [made, setMade] = useState<EncodedCode | null>(null);
  const isCode = overlay?.type === 'qr' || overlay?.type === 'barcode';
  const value =
    isCode && layout !== undefined ? shownValue(layout, overlay.value, overlay.format, cells) : null;
  useEffect(() => {
    setMade(null);
    if (overlay === undefined || (overlay.type !== 'qr' && overlay.type !== 'barcode')) return;
    if (value === null || value.isPlaceholder) return;
    let stale = false;
    encodeCode(overlay, value.text).then(
      (code) => {
        if (!stale) setMade(code);
      },
      () => {},
    );
    return () => {
      stale = true;
    };
  }, [overlay, value?.text, value?.isPlaceholder, value]);
  if (overlays.length !== 1 || overlay === undefined || made === null) return null;
  if ('invalid' in made) return <p className={styles.problem}>Cannot be encoded: {made.invalid}</p>;
  if (overlay.type !== 'qr' && overlay.type !== 'barcode') return null;
  const small = smallCode(overlay, made);
  const millimetres = (drawnWidth(overlay, made) * made.module) / made.width / MM;
  return (
    <p className={small === null ? styles.note : styles.problem}>
      {small ?? `Modules of ${millimetres.toFixed(2)} mm with the quiet zone.`}
    </p>
  );
}

export function CheckSection({ overlays }: Props) {
  const [onValue, setOnValue] = useState<string | null>(null);
  const value = text(overlays, 'on_value') ?? '';
  return (
    <Section title="Check mark">
      <SelectField
        label="Mark"
        value={text(overlays, 'mark') ?? ''}
        onChange={(event) => setMember('mark', 'mark', event.target.value)}
      >
        {text(overlays, 'mark') === undefined && <option value="">Mixed</option>}
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
        value={text(overlays, 'color')}
        onCommit={(next) => setMember('colour', 'color', next)}
      />
    </Section>
  );
}

export function PictureSection({ overlays }: Props) {
  const take = async ([file]: readonly File[]) => {
    if (file === undefined) return;
    const bytes = new Uint8Array(await file.arrayBuffer());
    if (
      !/^(?:89504e47|ffd8ff)/.test(
        [...bytes.slice(0, 4)].map((byte) => byte.toString(16).padStart(2, '0')).join(''),
      )
    ) {
      tell('bad', `${file.name} is neither a PNG nor a JPEG.`);
      return;
    }
    const { project, addAsset } = useEditor.getState();
    const name = assetNameFor(file.name, project?.assets ?? new Map());
    addAsset(name, bytes);
    setOptional('picture', 'value', { static: name });
  };
  return (
    <Section title="Picture">
      <FileButton
        accept="image/png,image/jpeg"
        label="Choose a PNG or JPEG…"
        onFiles={(files) => void take(files).catch(tellError)}
      />
      <SelectField
        label="Fit"
        value={text(overlays, 'fit') ?? ''}
        onChange={(event) => setMember('fit', 'fit', event.target.value)}
      >
        {text(overlays, 'fit') === undefined && <option value="">Mixed</option>}
        <option value="contain">Whole picture</option>
        <option value="cover">Fill the box, cut what is over</option>
        <option value="stretch">Stretch to the box</option>
      </SelectField>
      <div className={styles.row}>
        <Segments
          label="Align"
          choices={ALIGN}
          value={text(overlays, 'align') as 'left' | undefined}
          onChoose={(value) => setMember('alignment', 'align', value)}
        />
        <Segments
          label="Vertical align"
          choices={VALIGN}
          value={text(overlays, 'valign') as 'top' | undefined}
          onChoose={(value) => setMember('alignment', 'valign', value)}
        />
      </div>
    </Section>
  );
}

export function StickerSection({ overlays }: Props) {
  const [label, setLabel] = useState<string | null>(null);
  const value = text(overlays, 'label') ?? '';
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
        value={text(overlays, 'color')}
        onCommit={(next) => setMember('colour', 'color', next)}
      />
    </Section>
  );
}
