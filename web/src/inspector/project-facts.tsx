import { formatLength } from '../core/geometry/units.ts';
import { useEditor } from '../editor/editor-store.ts';
import styles from './inspector.module.css';
import { Section } from './section.tsx';

/** Facts about the page and the file, shown while nothing is selected. */
export function ProjectFacts() {
  const source = useEditor((editor) => editor.project?.source);
  const number = useEditor((editor) => editor.page);
  const unit = useEditor((editor) => editor.unit);
  const fields = useEditor((editor) => editor.project?.layout.overlays.length ?? 0);
  const page = source?.pages[number - 1];
  const box = source?.metadata.pages[number - 1];
  if (source === undefined) return null;
  return (
    <>
      <Section title="This page">
        <dl className={styles.facts}>
          <Fact name="Number">
            {number} of {source.pages.length}
          </Fact>
          {page !== undefined && (
            <Fact name="Size">
              {formatLength(page.width, unit)} × {formatLength(page.height, unit)} {unit}
            </Fact>
          )}
          {box !== undefined && box.rotation !== 0 && <Fact name="Rotation">{box.rotation}°</Fact>}
          {box !== undefined && box.user_unit !== 1 && <Fact name="User unit">{box.user_unit}</Fact>}
        </dl>
      </Section>
      <Section title="File">
        <dl className={styles.facts}>
          <Fact name="Name">{source.fileName}</Fact>
          <Fact name="Fields placed">{fields}</Fact>
          <Fact name="Form fields">{source.metadata.form_fields.length}</Fact>
          {source.metadata.signed && <Fact name="Signature">signed; filling ends its validity</Fact>}
          {source.metadata.xfa && <Fact name="XFA">ignored</Fact>}
        </dl>
      </Section>
    </>
  );
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
