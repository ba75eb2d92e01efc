import {
  AlignCenter,
  AlignLeft,
  AlignRight,
  AlignVerticalJustifyCenter,
  AlignVerticalJustifyEnd,
  AlignVerticalJustifyStart,
  Bold,
  Italic,
} from 'lucide-react';
import type { Overlay } from '#fill/package/layout-schema.ts';
import { useEditor } from '../editor/editor-store.ts';
import { IconButton } from '../ui/button.tsx';
import { SelectField, Switch } from '../ui/field.tsx';
import { ColorField } from './color-field.tsx';
import { common, member, setMember } from './edit-selected.ts';
import { FontUpload } from './font-upload.tsx';
import styles from './inspector.module.css';
import { NumberField } from './number-field.tsx';
import { Section, Segments } from './section.tsx';

export const ALIGN = [
  { value: 'left', label: 'Left', icon: <AlignLeft size={14} /> },
  { value: 'center', label: 'Centre', icon: <AlignCenter size={14} /> },
  { value: 'right', label: 'Right', icon: <AlignRight size={14} /> },
] as const;
export const VALIGN = [
  { value: 'top', label: 'Top', icon: <AlignVerticalJustifyStart size={14} /> },
  { value: 'middle', label: 'Middle', icon: <AlignVerticalJustifyCenter size={14} /> },
  { value: 'bottom', label: 'Bottom', icon: <AlignVerticalJustifyEnd size={14} /> },
] as const;
const FITS = [
  ['shrink', 'Make the type smaller'],
  ['wrap', 'Break into more lines'],
  ['clip', 'Cut at the edge'],
] as const;

/** The typography of a text. */
export function TypeSection({ overlays }: { overlays: readonly Overlay[] }) {
  const text = (name: string) => common(overlays, member(name)) as string | undefined;
  const number = (name: string) => common(overlays, member(name)) as number | undefined;
  const flag = (name: string) => common(overlays, member(name)) as boolean | undefined;
  return (
    <Section title="Type">
      <FontFields overlays={overlays} />
      <div className={styles.pairs}>
        <NumberField
          label="Size in points"
          mark="Size"
          unit="pt"
          value={number('size')}
          min={1}
          max={2000}
          onCommit={(value) => setMember('size', 'size', value)}
        />
        <NumberField
          label="Line height"
          mark="Line"
          unit="×"
          step={0.1}
          value={number('line_height')}
          min={0.5}
          max={10}
          format={(value) => String(Number(value.toFixed(2)))}
          onCommit={(value) => setMember('line height', 'line_height', Number(value.toFixed(2)))}
        />
      </div>
      <div className={styles.row}>
        <Segments
          label="Align"
          choices={ALIGN}
          value={text('align') as 'left' | undefined}
          onChoose={(value) => setMember('alignment', 'align', value)}
        />
        <Segments
          label="Vertical align"
          choices={VALIGN}
          value={text('valign') as 'top' | undefined}
          onChoose={(value) => setMember('alignment', 'valign', value)}
        />
      </div>
      <div className={styles.pairs}>
        <NumberField
          label="Padding in points"
          mark="Padding"
          unit="pt"
          value={number('padding')}
          min={0}
          max={200}
          format={(value) => String(Number(value.toFixed(2)))}
          onCommit={(value) => setMember('padding', 'padding', Number(value.toFixed(2)))}
        />
      </div>
      <ColorField
        label="Colour"
        value={text('color')}
        onCommit={(value) => setMember('colour', 'color', value)}
      />
      <SelectField
        label="When it does not fit"
        value={text('fit') ?? ''}
        onChange={(event) => setMember('fit', 'fit', event.target.value)}
      >
        {text('fit') === undefined && <option value="">Mixed</option>}
        {FITS.map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </SelectField>
      {text('fit') === 'shrink' && (
        <NumberField
          label="Smallest size in points"
          mark="Smallest"
          unit="pt"
          value={number('min_size')}
          min={0.5}
          max={2000}
          onCommit={(value) => setMember('smallest size', 'min_size', value)}
        />
      )}
      {text('fit') !== 'wrap' && (
        <Switch
          label="Break long lines"
          checked={flag('wrap') === true}
          onChange={(checked) => setMember('line breaks', 'wrap', checked)}
        />
      )}
    </Section>
  );
}

/** The font, its weight and its slant. */
export function FontFields({ overlays }: { overlays: readonly Overlay[] }) {
  const fonts = useEditor((editor) => editor.project?.layout.fonts) ?? [];
  const text = (name: string) => common(overlays, member(name)) as string | undefined;
  const flag = (name: string) => common(overlays, member(name)) as boolean | undefined;
  return (
    <>
      <div className={styles.row}>
        <SelectField
          label="Font"
          hideLabel
          value={text('font') ?? ''}
          onChange={(event) => setMember('font', 'font', event.target.value)}
        >
          {text('font') === undefined && <option value="">Mixed</option>}
          <option value="sans">Sans</option>
          <option value="serif">Serif</option>
          <option value="mono">Mono</option>
          {fonts.map(({ name }) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </SelectField>
        <IconButton
          label="Bold"
          pressed={flag('bold') === true}
          onClick={() => setMember('weight', 'bold', flag('bold') !== true)}
        >
          <Bold size={14} />
        </IconButton>
        <IconButton
          label="Italic"
          pressed={flag('italic') === true}
          onClick={() => setMember('slant', 'italic', flag('italic') !== true)}
        >
          <Italic size={14} />
        </IconButton>
      </div>
      <FontUpload />
    </>
  );
}
