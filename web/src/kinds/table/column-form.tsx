import type { TableColumn, TableOverlay } from '#fill/kinds/table/schema.ts';
import type { ValueFormat, ValueSource } from '#fill/package/layout-schema.ts';
import { FormatFields } from '../../inspector/format-section.tsx';
import { NumberField } from '../../inspector/number-field.tsx';
import { Segments } from '../../inspector/section.tsx';
import { ALIGN } from '../../inspector/type-section.tsx';
import { textUpTo, typedInput, useTypedText } from '../../inspector/typed-text.ts';
import { ValueEditor } from '../../inspector/value-editor.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { LEAST_PERCENT, mostPercent, percentOf, withPercent } from './edit-columns.ts';
import own from './table-section.module.css';

interface Props {
  readonly columns: TableOverlay['columns'];
  readonly index: number;
  readonly onChange: (
    what: string,
    update: (columns: TableOverlay['columns']) => TableOverlay['columns'],
  ) => void;
}

/** Everything that one column of a table has. */
export function ColumnForm({ columns, index, onChange }: Props) {
  const column = columns[index];
  if (column === undefined) return null;
  const edit = (what: string, update: (column: TableColumn) => TableColumn) =>
    onChange(what, (before) => before.map((each, place) => (place === index ? update(each) : each)));
  const setValue = (value: ValueSource) =>
    edit('value', ({ total, ...rest }) => ({
      ...rest,
      value,
      // Only the cells of a column can be added up.
      ...(total !== undefined && (total === 'count' || 'column' in value) && { total }),
    }));
  const setFormat = (format: ValueFormat | undefined) =>
    edit('format', ({ format: _, ...rest }) => ({ ...rest, ...(format !== undefined && { format }) }));
  const setTotal = (chosen: string) =>
    edit('total', ({ total: _, ...rest }) => ({
      ...rest,
      ...(chosen !== '' && { total: chosen as 'sum' | 'count' }),
    }));
  const isColumn = 'column' in column.value;
  return (
    <div className={own.form}>
      <ValueEditor label="Cells" value={column.value} onChange={setValue} />
      <HeaderField
        value={column.header}
        onCommit={(header) => edit('header', (before) => ({ ...before, header }))}
      />
      <NumberField
        label="Width in percent of the table"
        mark="Width"
        unit="% of the table"
        value={percentOf(columns, index)}
        min={columns.length === 1 ? 100 : LEAST_PERCENT}
        max={mostPercent(columns)}
        disabled={columns.length === 1}
        onCommit={(percent) => onChange('width', (before) => withPercent(before, index, percent))}
      />
      <Segments
        label="Align"
        choices={ALIGN}
        value={column.align}
        onChoose={(align) => edit('alignment', (before) => ({ ...before, align }))}
      />
      <SelectField
        label="Text wider than its cell"
        value={column.fit}
        onChange={({ target }) => edit('fit', (before) => ({ ...before, fit: target.value as 'wrap' }))}
      >
        <option value="wrap">Break into more lines, the row gets higher</option>
        <option value="shrink">Make the type smaller</option>
        <option value="clip">Cut at the edge</option>
      </SelectField>
      <FormatFields format={column.format} source={column.value} onChange={setFormat} />
      <SelectField
        label="Total below the last row"
        hint={column.total === 'sum' ? 'A cell that is not a number fails its document.' : undefined}
        value={column.total ?? ''}
        onChange={(event) => setTotal(event.target.value)}
      >
        <option value="">None</option>
        <option value="sum" disabled={!isColumn}>
          {isColumn ? 'Sum of the column' : 'Sum (only for the cells of one column)'}
        </option>
        <option value="count">Number of filled cells</option>
      </SelectField>
    </div>
  );
}

function HeaderField({ value, onCommit }: { value: string; onCommit: (header: string) => void }) {
  const typed = useTypedText({ label: 'Header', shown: value, read: textUpTo(1000), onCommit });
  return <TextField label="Header" {...typedInput(typed)} />;
}
