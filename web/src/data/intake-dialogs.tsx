import { lazy, Suspense, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { SelectField } from '../ui/field.tsx';
import { tellError } from '../ui/messages.tsx';
import { encodingName, encodingsWith } from './encodings.ts';
import styles from './intake-dialogs.module.css';
import { chooseEncoding, type Intake, leaveQuestion, useIntake } from './rows-intake.ts';

const ColumnsDialog = lazy(async () => ({ default: (await import('./columns-dialog.tsx')).ColumnsDialog }));

/** The dialog for a rows file whose encoding or columns must be confirmed. */
export function IntakeDialogs() {
  const intake = useIntake((state) => state.intake);
  if (intake === null || !intake.asking) return null;
  if (intake.at === 'encoding') return <EncodingDialog intake={intake} />;
  if (intake.at === 'columns')
    return (
      <Suspense fallback={null}>
        <ColumnsDialog key={intake.file.fileName} intake={intake} />
      </Suspense>
    );
  return null;
}

function EncodingDialog({ intake }: { intake: Extract<Intake, { at: 'encoding' }> }) {
  const { likely, sample } = intake.evidence;
  const [encoding, setEncoding] = useState(likely ?? 'windows-1252');
  const { fileName } = intake.file;
  const read = () => void chooseEncoding(intake, encoding).catch(tellError);
  return (
    <Dialog
      title={`Choose the encoding of ${fileName}`}
      onClose={leaveQuestion}
      onSubmit={read}
      actions={
        <>
          <Button onClick={leaveQuestion}>Cancel</Button>
          <Button look="primary" type="submit">
            Read the file
          </Button>
        </>
      }
    >
      <p>
        The file is not valid UTF-8.{' '}
        {likely === null
          ? 'Choose the encoding in which the sample reads correctly.'
          : `It is probably ${encodingName(likely)}. Check that the sample reads correctly.`}
      </p>
      <SelectField label="Encoding" value={encoding} onChange={(event) => setEncoding(event.target.value)}>
        {encodingsWith(likely).map(([label, name]) => (
          <option key={label} value={label}>
            {name}
            {label === likely ? ', suggested' : ''}
          </option>
        ))}
      </SelectField>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className={styles.sample} aria-label="Sample" tabIndex={0}>
        <pre>{new TextDecoder(encoding).decode(sample)}</pre>
      </section>
      <p className={styles.hint}>The rows are sent as UTF-8; the file itself does not change.</p>
    </Dialog>
  );
}
