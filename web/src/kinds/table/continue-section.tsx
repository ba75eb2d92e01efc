import type { TableOverlay } from '#fill/kinds/table/schema.ts';
import { formatLength, parseLength } from '../../core/geometry/units.ts';
import { useEditor } from '../../editor/editor-store.ts';
import { editSelected, setOptional } from '../../inspector/edit-selected.ts';
import styles from '../../inspector/inspector.module.css';
import { Section } from '../../inspector/section.tsx';
import { SelectField } from '../../ui/field.tsx';
import { OptionalNumber } from './optional-fields.tsx';

/** Where the rows go that have no room in the table's box. */
export function ContinueSection({ table }: { table: TableOverlay }) {
  const pages = useEditor((editor) => editor.project?.source.pages.length) ?? 0;
  const unit = useEditor((editor) => editor.unit);
  const { page, continue_on: on } = table;
  const choices = Array.from({ length: Math.max(0, pages - page + 1) }, (_, index) => page + index);
  const problem =
    on === undefined || choices.includes(on)
      ? undefined
      : on > pages
        ? `The PDF has no page ${on}. Choose another page.`
        : `Page ${on} is before the page of the table. Choose a later one.`;
  const choose = (wanted: string) =>
    editSelected('continuation', (overlay) => {
      if (overlay.type !== 'table') return overlay;
      const { continue_on: _, continue_y, continue_height, ...rest } = overlay;
      if (wanted === '') return rest;
      return {
        ...rest,
        continue_on: Number(wanted),
        ...(continue_y !== undefined && { continue_y }),
        ...(continue_height !== undefined && { continue_height }),
      };
    });
  const length = {
    unit,
    format: (points: number) => formatLength(points, unit),
    parse: (text: string) => parseLength(text, unit),
    max: 20_000,
  };
  return (
    <Section title="Rows that do not fit">
      <SelectField
        label="Rows that do not fit"
        hideLabel
        hint={
          on === undefined
            ? 'Rows are never left out: a document whose rows do not fit fails.'
            : on === page
              ? 'The page is repeated for as many rows as needed.'
              : `Page ${on} is repeated for as many rows as needed. Documents that do not need it do not have it.`
        }
        error={problem}
        value={on ?? ''}
        onChange={(event) => choose(event.target.value)}
      >
        <option value="">Fail the document</option>
        {problem !== undefined && <option value={on}>Page {on}</option>}
        {choices.map((number) => (
          <option key={number} value={number}>
            {number === page ? `Repeat page ${number}` : `Continue on page ${number}`}
          </option>
        ))}
      </SelectField>
      {on !== undefined && (
        <div className={styles.pairs}>
          <OptionalNumber
            {...length}
            label="Top there"
            placeholder={length.format(table.y)}
            min={-20_000}
            value={table.continue_y}
            onCommit={(y) => setOptional('continuation', 'continue_y', y)}
          />
          <OptionalNumber
            {...length}
            label="Height there"
            placeholder={length.format(table.height)}
            min={0.1}
            value={table.continue_height}
            onCommit={(height) => setOptional('continuation', 'continue_height', height)}
          />
        </div>
      )}
    </Section>
  );
}
