import { Columns3, GripVertical, Plus, Wand2 } from 'lucide-react';
import { columnName } from '../core/overlays/value-words.ts';
import { useEditor } from '../editor/editor-store.ts';
import type { RowsInfo } from '../project/project.ts';
import { Badge, Banner } from '../ui/badge.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { tell, tellError } from '../ui/messages.tsx';
import { ColumnType } from './column-type.tsx';
import { columnUsage } from './column-usage.ts';
import styles from './data-panel.module.css';
import { matchColumns } from './match-columns.ts';
import { placeColumn } from './place-column.ts';
import { reviewColumns } from './rows-intake.ts';
import { UnclearColumns } from './unclear-columns.tsx';

/** The drag data: the key of the column. */
const DRAG_TYPE = 'application/x-rowpress-column';

/**
 * Lists every column with the shown row's value and the number of fields that use it. Dragged onto the page, it becomes a
 * field.
 */
export function ColumnList({ rows }: { rows: RowsInfo }) {
  const layout = useEditor((editor) => editor.project?.layout);
  const cells = useEditor((editor) => editor.previewCells);
  if (layout === undefined) return null;
  const usage = columnUsage(layout, rows.columnCount);
  const unused = rows.columnCount - (usage.readers.size - usage.missing.length);
  return (
    <section className={styles.columns} aria-labelledby="columns">
      <div className={styles.columnsHead}>
        <h3 id="columns">Columns</h3>
        <MatchButton />
      </div>
      {usage.missing.length > 0 && (
        <Banner tone="warn" title="Fields without a column">
          {usage.missing.map((key) => columnName(layout, key)).join(', ')}: this file has no such column, so
          those fields stay blank.
        </Banner>
      )}
      <Button
        look="quiet"
        className={styles.review}
        icon={<Columns3 size={15} />}
        onClick={() => void reviewColumns().catch(tellError)}
      >
        Review columns
      </Button>
      <p className={styles.hint}>
        Drag a column onto the page.{' '}
        {unused > 0 && `${unused} of ${rows.columnCount} ${unused === 1 ? 'is' : 'are'} not used yet.`}
      </p>
      <UnclearColumns rows={rows} />
      <ul className={styles.list}>
        {Array.from({ length: rows.columnCount }, (_, index) => {
          const key = `column_${index}`;
          const name = columnName(layout, key);
          const facts = rows.columnFacts[index];
          const used = usage.readers.get(key)?.length ?? 0;
          return (
            <li
              key={key}
              className={styles.column}
              draggable
              onDragStart={(event) => {
                event.dataTransfer.setData(DRAG_TYPE, key);
                event.dataTransfer.setData('text/plain', name);
                event.dataTransfer.effectAllowed = 'copy';
              }}
            >
              <GripVertical size={14} className={styles.grip} aria-hidden="true" />
              <span className={styles.words}>
                <strong title={name}>{name}</strong>
                <span className={styles.value}>
                  <span>{cells[index] || '—'}</span>
                  {used > 0 ? (
                    <Badge tone="good">{used === 1 ? '1 field' : `${used} fields`}</Badge>
                  ) : (
                    <Badge>unused</Badge>
                  )}
                </span>
                {facts !== undefined && <ColumnType columnKey={key} name={name} facts={facts} />}
              </span>
              <IconButton label={`Add ${name} to the page`} onClick={() => placeColumn(key)}>
                <Plus size={15} />
              </IconButton>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function MatchButton() {
  const match = () => {
    const { project, change, rows } = useEditor.getState();
    if (project === null) return;
    const columnCount = rows?.columnCount ?? project.layout.columns.length;
    const { layout, matched } = matchColumns(project.layout, project.source.metadata, columnCount);
    if (matched === 0) {
      tell('good', 'No other field matches a column name.');
      return;
    }
    change(`Match ${matched} ${matched === 1 ? 'field' : 'fields'} by name`, () => layout);
    tell('good', `${matched} ${matched === 1 ? 'field' : 'fields'} matched by name`);
  };
  return (
    <Button look="quiet" icon={<Wand2 size={15} />} onClick={match}>
      Match by name
    </Button>
  );
}
