import { useState } from 'react';
import type { ColumnInput } from '#fill/package/column-input-schema.ts';
import {
  type ColumnFacts,
  DATE_PATTERNS,
  detectType,
  inputToDeclare,
  misfits,
} from '../core/columns/column-facts.ts';
import { inputWords, typeWords } from '../core/columns/type-words.ts';
import { useEditor } from '../editor/editor-store.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { SelectField } from '../ui/field.tsx';
import styles from './column-type.module.css';

/** How the values of a column are read, as a button that opens the choice. */
export function ColumnType({
  columnKey,
  name,
  facts,
}: {
  columnKey: string;
  name: string;
  facts: ColumnFacts;
}) {
  const declared = useEditor(
    (editor) => editor.project?.layout.columns.find(({ key }) => key === columnKey)?.input,
  );
  const [open, setOpen] = useState(false);
  const type = typeWords(facts, declared);
  const isOff = type.isUnclear || type.misfits > 0;
  return (
    <>
      <button
        type="button"
        className={`${styles.type} ${isOff ? styles.off : ''}`}
        aria-haspopup="dialog"
        aria-label={`${type.words}${unfitWords(type.misfits)}, change how ${name} is read`}
        onClick={() => setOpen(true)}
      >
        {type.words}
        {unfitWords(type.misfits)}
      </button>
      {open && (
        <TypeDialog
          columnKey={columnKey}
          name={name}
          facts={facts}
          declared={declared}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

const unfitWords = (count: number) =>
  count === 0 ? '' : ` · ${count.toLocaleString()} ${count === 1 ? 'does not fit' : 'do not fit'}`;

const COMMON: readonly ColumnInput[] = [
  { type: 'text' },
  { type: 'number', decimal: '.' },
  { type: 'number', decimal: ',' },
  ...DATE_PATTERNS.map((pattern): ColumnInput => ({ type: 'date', pattern })),
];

function TypeDialog({
  columnKey,
  name,
  facts,
  declared,
  onClose,
}: {
  columnKey: string;
  name: string;
  facts: ColumnFacts;
  declared: ColumnInput | undefined;
  onClose: () => void;
}) {
  const [chosen, setChosen] = useState(declared === undefined ? '' : JSON.stringify(declared));
  const input = chosen === '' ? undefined : (JSON.parse(chosen) as ColumnInput);
  const offered = COMMON.filter(
    (each) => each.type !== 'date' || (facts.fits[each.pattern] ?? 0) > 0 || JSON.stringify(each) === chosen,
  );
  const isKnown = input === undefined || offered.some((each) => JSON.stringify(each) === chosen);
  const count = input === undefined ? typeWords(facts, undefined).misfits : misfits(facts, input);
  const use = () => {
    readColumnAs(columnKey, name, input ?? inputToDeclare(facts));
    onClose();
  };
  return (
    <Dialog
      title={`Values of ${name}`}
      onClose={onClose}
      onSubmit={use}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit">
            Read them like this
          </Button>
        </>
      }
    >
      {detectType(facts).type === 'unclear' && (
        <p>The values can be read in more than one way. Choose the way in which they are written.</p>
      )}
      <SelectField label="Written as" value={chosen} onChange={({ target }) => setChosen(target.value)}>
        <option value="">Detected: {typeWords(facts, undefined).words}</option>
        {[...offered, ...(isKnown || input === undefined ? [] : [input])].map((each) => (
          <option key={JSON.stringify(each)} value={JSON.stringify(each)}>
            {inputWords(each)}
          </option>
        ))}
      </SelectField>
      <p role="status" className={styles.hint}>
        {input === undefined && detectType(facts).type === 'unclear'
          ? 'Nothing is chosen yet.'
          : count === 0
            ? `All ${facts.filled.toLocaleString()} values fit.`
            : `${count.toLocaleString()} of ${facts.filled.toLocaleString()} values do not fit; they are printed as they are.`}
      </p>
      <p className={styles.hint}>
        Number and date formats of fields use this. Dates such as 2026-01-31 are always read. The choice is
        saved with the project, so a run and a script read the same.
      </p>
    </Dialog>
  );
}

/** Declares how the values of a column are written; undefined lets the engine decide. */
export function readColumnAs(columnKey: string, name: string, input: ColumnInput | undefined): void {
  const words = input === undefined ? 'detected' : inputWords(input);
  useEditor.getState().change(`Read ${name} as ${words}`, (layout) => ({
    ...layout,
    columns: layout.columns.map((column) => {
      if (column.key !== columnKey) return column;
      const { input: _, ...rest } = column;
      return input === undefined ? rest : { ...rest, input };
    }),
  }));
}
