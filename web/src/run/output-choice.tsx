import { useId } from 'react';
import { OUTPUT_KINDS, type OutputKind } from '#fill/output-kind.ts';
import { firstSheet } from '../core/runs/sheet-choice.ts';
import { useEditor } from '../editor/editor-store.ts';
import { chooseRun, useWork } from '../project/work-store.ts';
import { Switch } from '../ui/field.tsx';
import styles from './output.module.css';
import { GROUPED_OUTPUT_NAMES, OUTPUT_NAMES } from './output-words.ts';
import { SheetFields } from './sheet-fields.tsx';
import { SheetPicture } from './sheet-picture.tsx';

const MEANINGS: Readonly<Record<OutputKind, string>> = {
  zip: 'A ZIP with a PDF for each row.',
  merged: 'One file to print or send, with a bookmark for each row.',
  both: 'The merged PDF, and a PDF for each row.',
};

/** What the run makes of its rows. The last choice stays with the project. */
export function OutputChoice() {
  const { output, sheet, duplex, groupBy } = useWork((work) => work.run);
  const isGrouped = groupBy.length > 0;
  const names = isGrouped ? GROUPED_OUTPUT_NAMES : OUTPUT_NAMES;
  const pageCount = useEditor((editor) => editor.project?.source.metadata.page_count ?? 1);
  const name = useId();
  return (
    <>
      <fieldset className={styles.outputs}>
        <legend>Output</legend>
        {OUTPUT_KINDS.map((kind) => (
          <label key={kind} className={styles.output}>
            <input
              type="radio"
              name={name}
              checked={output === kind}
              aria-describedby={`${name}-${kind}`}
              onChange={() => chooseRun({ output: kind })}
            />
            <span>
              <strong>{names[kind]}</strong>
              <span id={`${name}-${kind}`} className={styles.meaning}>
                {isGrouped ? MEANINGS[kind].replace('each row', 'each group') : MEANINGS[kind]}
              </span>
            </span>
          </label>
        ))}
      </fieldset>
      {output !== 'zip' && (
        <Switch
          label="Print on sheets of labels"
          hint={`Places each ${isGrouped ? 'group' : 'row'} on one label instead of a page of its own.${pageCount > 1 ? ' Only page 1 is printed.' : ''}`}
          checked={sheet !== null}
          onChange={(on) => chooseRun({ sheet: on ? firstSheet() : null })}
        />
      )}
      {output !== 'zip' && sheet === null && (
        <Switch
          label="Print on both sides of the paper"
          hint="Adds a blank page after each document with an odd number of pages, so that the next one starts on a new sheet."
          checked={duplex}
          onChange={(on) => chooseRun({ duplex: on })}
        />
      )}
      {output !== 'zip' && sheet !== null && (
        <section aria-label="Sheet of labels" className={styles.sheet}>
          <SheetFields choice={sheet} problemId={`${name}-problem`} />
          <SheetPicture choice={sheet} problemId={`${name}-problem`} />
        </section>
      )}
    </>
  );
}
