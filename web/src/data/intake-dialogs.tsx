import { useState } from 'react';
import { normalisedLabel } from '#lib/rows/match-labels.ts';
import {
  arrangeColumns,
  type ColumnChoices,
  chooseByName,
  chooseByPosition,
  differingColumns,
  type UsedColumn,
} from '../core/columns/column-order.ts';
import { useEditor } from '../editor/editor-store.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { SelectField } from '../ui/field.tsx';
import { tellError } from '../ui/messages.tsx';
import { columnUsage } from './column-usage.ts';
import { encodingName, encodingsWith } from './encodings.ts';
import styles from './intake-dialogs.module.css';
import { chooseEncoding, confirmColumns, type Intake, leaveQuestion, useIntake } from './rows-intake.ts';

/** The dialog for a rows file whose encoding or columns must be confirmed. */
export function IntakeDialogs() {
  const intake = useIntake((state) => state.intake);
  if (intake === null || !intake.asking) return null;
  if (intake.at === 'encoding') return <EncodingDialog intake={intake} />;
  if (intake.at === 'columns') return <ColumnsDialog key={intake.file.fileName} intake={intake} />;
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

/** Which column of the file fills each column that the project uses. */
function ColumnsDialog({ intake }: { intake: Extract<Intake, { at: 'columns' }> }) {
  const { seen, used, file } = intake;
  const header = seen.rows.header ?? [];
  const columns = useEditor((editor) => editor.project?.layout.columns) ?? [];
  const [choices, setChoices] = useState<ColumnChoices>(() => chooseByName(used, header));
  const confirm = () =>
    void confirmColumns(intake, arrangeColumns(columns, choices, header)).catch(tellError);
  const differing = differingColumns(used, header).length;
  return (
    <Dialog
      title={`Check the columns of ${file.fileName}`}
      onClose={leaveQuestion}
      onSubmit={confirm}
      wide
      actions={
        <>
          <Button onClick={leaveQuestion}>Cancel</Button>
          <Button look="primary" type="submit">
            Use these columns
          </Button>
        </>
      }
    >
      <p>
        {differing === 1
          ? 'One column that the project uses has another name or position in this file.'
          : `${differing} columns that the project uses have other names or places in this file.`}{' '}
        Choose the column of the file that fills each one.
      </p>
      <div className={styles.ways}>
        <Button onClick={() => setChoices(chooseByName(used, header))}>Match by name</Button>
        <Button onClick={() => setChoices(chooseByPosition(used, header.length))}>Keep positions</Button>
      </div>
      <table className={styles.columns}>
        <thead>
          <tr>
            <th scope="col">Project</th>
            <th scope="col">Column of the file</th>
            <th scope="col">Row 1</th>
            <th scope="col">
              <span className="visually-hidden">Name</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {used.map((column) => (
            <ColumnRow
              key={column.position}
              column={column}
              header={header}
              firstRow={seen.firstRow}
              chosen={choices.get(column.position) ?? null}
              onChoose={(input) => setChoices(new Map(choices).set(column.position, input))}
            />
          ))}
        </tbody>
      </table>
      <BlankFields used={used} choices={choices} />
    </Dialog>
  );
}

const nameOf = ({ label, position }: UsedColumn) => (label === '' ? `Column ${position + 1}` : label);

function ColumnRow({
  column,
  header,
  firstRow,
  chosen,
  onChoose,
}: {
  column: UsedColumn;
  header: readonly string[];
  firstRow: readonly string[];
  chosen: number | null;
  onChoose: (input: number | null) => void;
}) {
  const name = nameOf(column);
  const isSame = chosen !== null && normalisedLabel(header[chosen] ?? '') === normalisedLabel(column.label);
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>
        <SelectField
          hideLabel
          label={`Column for ${name}`}
          value={chosen ?? ''}
          onChange={({ target }) => onChoose(target.value === '' ? null : Number(target.value))}
        >
          <option value="">Leave blank</option>
          {header.map((text, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a column of a file is its position
            <option key={index} value={index}>{`${index + 1}. ${text.trim() || 'without a name'}`}</option>
          ))}
        </SelectField>
      </td>
      <td className={styles.value}>{chosen === null ? '' : firstRow[chosen]}</td>
      <td>
        {chosen === null ? (
          <Badge tone="warn">blank</Badge>
        ) : isSame ? (
          <Badge tone="good">same name</Badge>
        ) : (
          <Badge tone="warn">other name</Badge>
        )}
      </td>
    </tr>
  );
}

function BlankFields({ used, choices }: { used: readonly UsedColumn[]; choices: ColumnChoices }) {
  const layout = useEditor((editor) => editor.project?.layout);
  if (layout === undefined) return null;
  const { readers } = columnUsage(layout, 0);
  const blank = new Set(
    used
      .filter(({ position }) => (choices.get(position) ?? null) === null)
      .flatMap(({ position }) => readers.get(`column_${position}`) ?? []),
  ).size;
  return (
    <p role="status" className={styles.hint}>
      {blank > 0 && (blank === 1 ? '1 field stays blank.' : `${blank} fields stay blank.`)}
    </p>
  );
}
