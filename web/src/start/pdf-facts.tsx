import { FormInput, PencilRuler, ScanSearch } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { makeThumbnail } from '../drafts/thumbnail.ts';
import { FileButton } from '../files/file-button.tsx';
import { fillableFields } from '../project/form-layout.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { standOn } from '../ui/keep-focus.ts';
import { tellError } from '../ui/messages.tsx';
import { useObjectUrl } from '../ui/use-object-url.ts';
import styles from './pdf-facts.module.css';
import { boxWords, fontWords, rotationWords, sizeWords } from './source-words.ts';
import { leaveStage, type StartStage, startFromPdf, takeFiles } from './start-work.ts';

/** Facts about the PDF before the project starts, and the two ways to start it. */
export function PdfFacts({ stage }: { stage: Extract<StartStage, { at: 'pdf' }> }) {
  const { source, fonts, rows } = stage;
  const { metadata, pages } = source;
  const formFields = fillableFields(metadata).length;
  const [thumbnail, setThumbnail] = useState<Blob | null>(null);
  const picture = useObjectUrl(thumbnail);
  const heading = useRef<HTMLHeadingElement>(null);
  // The button that led here is gone, so the focus moves to this heading.
  useEffect(() => standOn(heading.current), []);
  useEffect(() => {
    makeThumbnail(source.bytes).then(setThumbnail, () => setThumbnail(null));
  }, [source]);
  const isOffered = formFields === 0 && rows === null;
  const start = (useForm: boolean, isSearched = false) =>
    void startFromPdf(useForm, isSearched).catch(tellError);
  return (
    <section aria-label="About this PDF" className={styles.card}>
      <div className={styles.page}>{picture !== null && <img src={picture} alt="First page" />}</div>
      <div className={styles.told}>
        <h2 ref={heading} className={styles.name}>
          {source.fileName}
        </h2>
        <dl className={styles.facts}>
          <Fact name="Pages">
            {metadata.page_count} · {sizeWords(pages)}
          </Fact>
          <Fact name="Visible area">{boxWords(metadata)}</Fact>
          <Fact name="Rotation">{rotationWords(metadata)}</Fact>
          <Fact name="Fonts">{fontWords(fonts)}</Fact>
          <Fact name="Form fields">
            {metadata.form_fields.length === 0
              ? 'none'
              : `${metadata.form_fields.length}, of which ${formFields} can be filled`}
          </Fact>
          <Fact name="Rows">
            {rows === null ? (
              <FileButton
                label="Add a CSV or Excel file"
                accept=".csv,.tsv,.txt,.xlsx"
                look="quiet"
                onFiles={(files) => void takeFiles(files).catch(tellError)}
              />
            ) : (
              rows.name
            )}
          </Fact>
        </dl>
        {(metadata.signed || metadata.xfa) && (
          <div className={styles.notes}>
            {metadata.signed && <Badge tone="warn">Signed: filling ends the signature’s validity</Badge>}
            {metadata.xfa && <Badge tone="warn">XFA form: only its AcroForm part is used</Badge>}
          </div>
        )}
        <div className={styles.actions}>
          {formFields > 0 && (
            <Button look="primary" icon={<FormInput size={16} />} onClick={() => start(true)}>
              Use the form’s own fields
            </Button>
          )}
          {isOffered && (
            <Button look="primary" icon={<ScanSearch size={16} />} onClick={() => start(false, true)}>
              Find fields
            </Button>
          )}
          <Button
            look={formFields > 0 || isOffered ? 'plain' : 'primary'}
            icon={<PencilRuler size={16} />}
            onClick={() => start(false)}
          >
            {formFields > 0 ? 'Place fields myself' : 'Open in the editor'}
          </Button>
          <Button look="quiet" onClick={leaveStage}>
            Another file
          </Button>
        </div>
      </div>
    </section>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
