import { useState } from 'react';
import { type BoundColumn, bindColumns } from '#lib/rows/bind-columns.ts';
import {
  arrangeColumns,
  type ChoiceStatus,
  type ColumnChoices,
  choiceStatus,
  chooseByName,
  chooseByPosition,
  newColumns,
} from '../core/columns/column-order.ts';
import { fieldName } from '../core/overlays/field-name.ts';
import { useEditor } from '../editor/editor-store.ts';
import { useWork } from '../project/work-store.ts';
import { Badge, type Tone } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { SelectField } from '../ui/field.tsx';
import { tellError } from '../ui/messages.tsx';
import { columnUsage } from './column-usage.ts';
import styles from './columns-dialog.module.css';
import { confirmColumns, type Intake, leaveQuestion } from './rows-intake.ts';

type ColumnsIntake = Extract<Intake, { at: 'columns' }>;

/** The mapping table: which column of the file fills each column that the project uses. */
export function ColumnsDialog({ intake }: { intake: ColumnsIntake }) {
  const { seen, used, file, inUse } = intake;
  const layout = useEditor((editor) => editor.project?.layout);
  const columns = layout?.columns ?? [];
  const { columnCount } = seen.rows;
  const header = Array.from({ length: columnCount }, (_, index) => seen.rows.header?.[index]?.trim() ?? '');
  const [choices, setChoices] = useState<ColumnChoices>(() => firstChoices(intake, header));
  const confirm = () =>
    void confirmColumns(intake, arrangeColumns(columns, choices, header)).catch(tellError);
  const readersOf = useReaders();
  const bound = bindColumns(used, header);
  const added = newColumns(columns, header).filter((input) => ![...choices.values()].includes(input));
  const hasHeader = seen.rows.header !== null;
  return (
    <Dialog
      title={`Match the columns of ${file.fileName}`}
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
        {inUse === undefined ? questionWords(bound) : 'Choose the column of the file that fills each column.'}
      </p>
      <div className={styles.ways}>
        {hasHeader && <Button onClick={() => setChoices(chooseByName(used, header))}>Match by name</Button>}
        <Button onClick={() => setChoices(chooseByPosition(used, columnCount))}>Keep positions</Button>
      </div>
      {used.length === 0 ? (
        <p className={styles.hint}>No field uses a column yet.</p>
      ) : (
        <table className={styles.columns}>
          <thead>
            <tr>
              <th scope="col">Project column</th>
              <th scope="col">Used by</th>
              <th scope="col">Column of the file</th>
              <th scope="col">Values</th>
              <th scope="col">Match</th>
            </tr>
          </thead>
          <tbody>
            {bound.map((column) => {
              const chosen = choices.get(column.position) ?? null;
              return (
                <ColumnRow
                  key={column.position}
                  column={column}
                  readers={readersOf(column.position)}
                  header={header}
                  samples={chosen === null ? [] : (seen.samples[chosen] ?? [])}
                  chosen={chosen}
                  status={choiceStatus(column, chosen, header)}
                  onChoose={(input) => setChoices(new Map(choices).set(column.position, input))}
                />
              );
            })}
          </tbody>
        </table>
      )}
      <BlankFields bound={bound} choices={choices} readersOf={readersOf} />
      {hasHeader && added.length > 0 && (
        <section className={styles.added} aria-labelledby="new-columns">
          <h3 id="new-columns">New in this file</h3>
          <ul>
            {added.map((input) => (
              <li key={input}>
                <strong>{header[input] || `Column ${input + 1}`}</strong>
                <span>{seen.samples[input]?.join(' · ')}</span>
              </li>
            ))}
          </ul>
          <p className={styles.hint}>No field uses these columns. You can place them on the page later.</p>
        </section>
      )}
    </Dialog>
  );
}

function firstChoices({ used, inUse, seen }: ColumnsIntake, header: readonly string[]): ColumnChoices {
  if (inUse === undefined) return chooseByName(used, header);
  const { order } = inUse;
  if (order === null) return chooseByPosition(used, seen.rows.columnCount);
  return new Map(used.map(({ position }) => [position, order[position] ?? null]));
}

/** The names of fields that read a column, and the file names, passwords and groups of the run. */
function useReaders(): (position: number) => readonly string[] {
  const layout = useEditor((editor) => editor.project?.layout);
  const { filenameColumns, passwordColumn, groupBy } = useWork((work) => work.run);
  if (layout === undefined) return () => [];
  const { readers } = columnUsage(layout, 0);
  return (position) => {
    const key = `column_${position}`;
    const names = (readers.get(key) ?? []).map((id) => fieldName(layout, id));
    return [
      ...names,
      ...(filenameColumns.includes(key) ? ['File names'] : []),
      ...(passwordColumn === key ? ['Passwords'] : []),
      ...(groupBy.includes(key) ? ['Groups'] : []),
    ];
  };
}

function questionWords(bound: readonly BoundColumn[]): string {
  const missing = bound.filter(({ match }) => match === 'missing').length;
  const ambiguous = bound.filter(({ match }) => match === 'ambiguous').length;
  const parts = [
    ...(missing > 0
      ? [missing === 1 ? '1 column is missing in this file' : `${missing} columns are missing in this file`]
      : []),
    ...(ambiguous > 0
      ? [
          ambiguous === 1
            ? 'the name of 1 column is ambiguous'
            : `the names of ${ambiguous} columns are ambiguous`,
        ]
      : []),
  ];
  const said = parts.length === 0 ? 'columns without a name may have moved' : parts.join(', and ');
  return `${said.charAt(0).toUpperCase()}${said.slice(1)}. Choose the column of the file that fills each one. Until then, this file is not used.`;
}

const STATUS: Readonly<Record<ChoiceStatus, readonly [Tone, string]>> = {
  exact: ['good', 'Exact'],
  similar: ['good', 'Similar'],
  moved: ['accent', 'Moved'],
  other: ['neutral', 'Other name'],
  missing: ['warn', 'Missing'],
  ambiguous: ['warn', 'Ambiguous'],
};

const SHOWN_READERS = 3;

function ColumnRow({
  column,
  readers,
  header,
  samples,
  chosen,
  status,
  onChoose,
}: {
  column: BoundColumn;
  readers: readonly string[];
  header: readonly string[];
  samples: readonly string[];
  chosen: number | null;
  status: ChoiceStatus;
  onChoose: (input: number | null) => void;
}) {
  const name = column.label === '' ? `Column ${column.position + 1}` : column.label;
  const [tone, words] = STATUS[status];
  const further = readers.length - SHOWN_READERS;
  return (
    <tr>
      <th scope="row">{name}</th>
      <td className={styles.readers} title={readers.join(', ')}>
        {readers.slice(0, SHOWN_READERS).join(', ')}
        {further > 0 && ` and ${further} more`}
      </td>
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
            <option key={index} value={index}>{`${index + 1}. ${text || 'without a name'}`}</option>
          ))}
        </SelectField>
      </td>
      <td className={styles.values}>
        {samples.map((sample) => (
          <span key={sample} title={sample}>
            {sample}
          </span>
        ))}
      </td>
      <td>
        <Badge tone={tone}>{words}</Badge>
      </td>
    </tr>
  );
}

function BlankFields({
  bound,
  choices,
  readersOf,
}: {
  bound: readonly BoundColumn[];
  choices: ColumnChoices;
  readersOf: (position: number) => readonly string[];
}) {
  const blank = new Set(
    bound
      .filter(({ position }) => (choices.get(position) ?? null) === null)
      .flatMap(({ position }) => readersOf(position)),
  ).size;
  return (
    <p role="status" className={styles.hint}>
      {blank > 0 && (blank === 1 ? '1 field stays blank.' : `${blank} fields stay blank.`)}
    </p>
  );
}
