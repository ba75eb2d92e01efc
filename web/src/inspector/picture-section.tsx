import { useEditor } from '../editor/editor-store.ts';
import { FileButton } from '../files/file-button.tsx';
import type { SectionProps } from '../kinds/kind-view.ts';
import { SelectField } from '../ui/field.tsx';
import { tell, tellError } from '../ui/messages.tsx';
import { assetNameFor } from './asset-name.ts';
import { commonText, setMember, setOptional } from './edit-selected.ts';
import styles from './inspector.module.css';
import { Section, Segments } from './section.tsx';
import { ALIGN, VALIGN } from './type-section.tsx';

export function PictureSection({ overlays }: SectionProps) {
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
        value={commonText(overlays, 'fit') ?? ''}
        onChange={(event) => setMember('fit', 'fit', event.target.value)}
      >
        {commonText(overlays, 'fit') === undefined && <option value="">Mixed</option>}
        <option value="contain">Whole picture</option>
        <option value="cover">Fill the box, cut what is over</option>
        <option value="stretch">Stretch to the box</option>
      </SelectField>
      <div className={styles.row}>
        <Segments
          label="Align"
          choices={ALIGN}
          value={commonText(overlays, 'align') as 'left' | undefined}
          onChoose={(value) => setMember('alignment', 'align', value)}
        />
        <Segments
          label="Vertical align"
          choices={VALIGN}
          value={commonText(overlays, 'valign') as 'top' | undefined}
          onChoose={(value) => setMember('alignment', 'valign', value)}
        />
      </div>
    </Section>
  );
}
