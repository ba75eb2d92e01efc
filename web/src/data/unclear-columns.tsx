import { detectType } from '../core/columns/column-facts.ts';
import { inputWords } from '../core/columns/type-words.ts';
import { columnName } from '../core/overlays/value-words.ts';
import { useEditor } from '../editor/editor-store.ts';
import type { RowsInfo } from '../project/project.ts';
import { Banner } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { readColumnAs } from './column-type.tsx';
import styles from './data-panel.module.css';

/** Asks how to read each column whose values can be read in several ways. Nothing is guessed until then. */
export function UnclearColumns({ rows }: { rows: RowsInfo }) {
  const layout = useEditor((editor) => editor.project?.layout);
  if (layout === undefined) return null;
  return layout.columns.map(({ key, input }, index) => {
    const facts = rows.columnFacts[index];
    if (input !== undefined || facts === undefined) return null;
    const found = detectType(facts);
    if (found.type !== 'unclear') return null;
    const name = columnName(layout, key);
    const isDate = found.choices[0]?.type === 'date';
    return (
      <Banner key={key} tone="warn" title={`${name}: ${isDate ? 'ambiguous dates' : 'ambiguous numbers'}`}>
        <p>
          {isDate
            ? 'Every value can be read with the day or the month first. Fields with a date format print them as they are until you choose.'
            : 'Every value can be read with a decimal point or a decimal comma. They are read with a point until you choose.'}
        </p>
        <div className={styles.questionActions}>
          {found.choices.map((choice) => (
            <Button key={inputWords(choice)} onClick={() => readColumnAs(key, name, choice)}>
              {inputWords(choice).replace(/^.* · /, '')}
            </Button>
          ))}
        </div>
      </Banner>
    );
  });
}
