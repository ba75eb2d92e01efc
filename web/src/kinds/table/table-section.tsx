import type { TableOverlay } from '#fill/kinds/table/schema.ts';
import type { Layout, Overlay } from '#fill/package/layout-schema.ts';
import { columnName } from '../../core/overlays/value-words.ts';
import { useEditor } from '../../editor/editor-store.ts';
import { common, setMember, setOptional } from '../../inspector/edit-selected.ts';
import styles from '../../inspector/inspector.module.css';
import { NumberField } from '../../inspector/number-field.tsx';
import { Section } from '../../inspector/section.tsx';
import { textUpTo, typedInput, useTypedText } from '../../inspector/typed-text.ts';
import { useWork } from '../../project/work-store.ts';
import { showWindow } from '../../run/run-store.ts';
import { Switch, TextField } from '../../ui/field.tsx';
import type { SectionProps } from '../kind-view.ts';
import { ColumnsSection } from './columns-section.tsx';
import { ContinueSection } from './continue-section.tsx';
import { LookSection } from './look-section.tsx';
import { OptionalNumber } from './optional-fields.tsx';

const MAX_ROWS = 5000;

/** The inspector of tables. Columns and pages are those of one table; the rest can be set for several. */
export function TableSection({ overlays }: SectionProps) {
  const layout = useEditor((editor) => editor.project?.layout);
  const tables = overlays.filter(isTable);
  const [only] = tables;
  if (layout === undefined || only === undefined) return null;
  return (
    <>
      <GroupNote layout={layout} />
      {tables.length === 1 ? (
        <ColumnsSection table={only} layout={layout} />
      ) : (
        <Section title="Columns">
          <p className={styles.note}>Select one table to change its columns.</p>
        </Section>
      )}
      <RowsSection tables={tables} />
      {tables.length === 1 && <ContinueSection table={only} />}
      <LookSection tables={tables} />
    </>
  );
}

/** Which rows a table shows: the groups belong to the run, so they are chosen there. */
function GroupNote({ layout }: { layout: Layout }) {
  const { groupBy } = useWork((work) => work.run);
  const names = groupBy.map((key) => columnName(layout, key)).join(' and ');
  return (
    <Section title="Which rows">
      <p className={styles.note}>
        {groupBy.length === 0
          ? 'One row, because every row is a document.'
          : `All rows with the same ${names}.`}
      </p>
      <button type="button" className={styles.link} onClick={() => showWindow('options')}>
        {groupBy.length === 0 ? 'Choose a group column' : 'Choose other group columns'}
      </button>
    </Section>
  );
}

const isTable = (overlay: Overlay): overlay is TableOverlay => overlay.type === 'table';

function RowsSection({ tables }: { tables: readonly TableOverlay[] }) {
  const of = <Name extends keyof TableOverlay>(name: Name) =>
    common(tables, (table) => (table as TableOverlay)[name]);
  const hasTotals = tables.some(({ columns }) => columns.some(({ total }) => total !== undefined));
  return (
    <Section title="Rows">
      <Switch
        label="Header"
        hint="The headers of the columns, on every page."
        checked={of('header') === true}
        onChange={(on) => setMember('header', 'header', on)}
      />
      <OptionalNumber
        label="Least height of a row"
        placeholder="One line of text"
        unit="pt"
        min={1}
        max={2000}
        value={of('row_height')}
        onCommit={(height) => setOptional('row height', 'row_height', height)}
      />
      <div className={styles.pairs}>
        <NumberField
          label="Least number of rows; empty ones are added"
          mark="At least"
          unit="rows"
          whole
          value={of('min_rows')}
          min={0}
          max={MAX_ROWS}
          onCommit={(rows) => setMember('number of rows', 'min_rows', rows)}
        />
      </div>
      <OptionalNumber
        label="Most rows"
        hint="A document with more rows fails."
        placeholder="As many as fit"
        unit="rows"
        whole
        min={1}
        max={MAX_ROWS}
        value={of('max_rows')}
        onCommit={(rows) => setOptional('number of rows', 'max_rows', rows)}
      />
      {hasTotals && <TotalLabel value={of('total_label') ?? ''} />}
    </Section>
  );
}

function TotalLabel({ value }: { value: string }) {
  const typed = useTypedText({
    label: 'Label of the totals',
    shown: value,
    read: textUpTo(1000),
    onCommit: (label) => setMember('label of totals', 'total_label', label),
  });
  return <TextField label="Label of the totals" placeholder="For example Total" {...typedInput(typed)} />;
}
