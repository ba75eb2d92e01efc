import { FileSpreadsheet, Table2, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useEditor } from '../editor/editor-store.ts';
import { DropTarget } from '../files/drop-target.tsx';
import { FileButton } from '../files/file-button.tsx';
import { sortFiles } from '../files/sort-files.ts';
import { freshReading, type RowsInfo } from '../project/project.ts';
import { useWork } from '../project/work-store.ts';
import { Banner } from '../ui/badge.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { tellError } from '../ui/messages.tsx';
import { Waiting } from '../ui/waiting.tsx';
import { ColumnList } from './column-list.tsx';
import styles from './data-panel.module.css';
import { PicturesPanel } from './pictures/pictures-panel.tsx';
import type { PickedFile } from './pictures/read-pictures.ts';
import { holdsPictures, takePictures } from './pictures/take-pictures.ts';
import { ReadingOptions } from './reading-options.tsx';
import { RowStepper } from './row-stepper.tsx';
import { RowsDialog } from './rows-dialog.tsx';
import { askAgain, forgetIntake, removeRows, takeRows, useIntake } from './rows-intake.ts';

const ACCEPT = '.csv,.tsv,.txt,.xlsx,text/csv';

/** The rows file: how it is read, and its columns. */
export function DataPanel() {
  const rows = useEditor((editor) => editor.rows);
  const reading = useEditor((editor) => editor.rowsReading);
  const file = useWork((work) => work.rowsFile);
  const busy = useIntake((state) => state.busy);
  const take = ([chosen]: readonly File[]) => {
    if (chosen === undefined) return;
    takeRows({ file: chosen, fileName: chosen.name }, freshReading(reading)).catch(tellError);
  };
  /** A folder, a ZIP or pictures, unless there is a rows file among them. */
  const drop = (dropped: readonly PickedFile[]) => {
    const chosen = sortFiles(dropped.map(({ file: each }) => each)).rows;
    if (chosen === null && holdsPictures(dropped)) takePictures(dropped).catch(tellError);
    else take(chosen === null ? dropped.map(({ file: each }) => each) : [chosen]);
  };
  return (
    <DropTarget label="Rows" onFiles={drop} className={styles.panel}>
      <WaitingFile hasRows={rows !== null} />
      {busy && <Waiting label="Reading the rows" />}
      {!busy && rows === null && <NoRows onFiles={take} />}
      {!busy && rows !== null && (
        <>
          <FileFacts rows={rows} onFiles={take} />
          <ReadingOptions
            rows={rows}
            reading={reading}
            onChange={(how) => {
              if (file !== null) takeRows(file, how).catch(tellError);
            }}
          />
          <RowStepper />
          <ColumnList rows={rows} />
          <PicturesPanel />
        </>
      )}
    </DropTarget>
  );
}

/** A file that is not in use: it cannot be read, or the user must confirm something first. */
function WaitingFile({ hasRows }: { hasRows: boolean }) {
  const intake = useIntake((state) => state.intake);
  const busy = useIntake((state) => state.busy);
  // The columns of the file in use are only reviewed.
  if (intake === null || busy || (intake.at === 'columns' && intake.inUse !== undefined)) return null;
  const { fileName } = intake.file;
  if (intake.at === 'refused')
    return (
      <Banner tone="bad" title={`${fileName} cannot be read`}>
        {intake.message} {hasRows && 'The previous rows are unchanged.'}
      </Banner>
    );
  const remove = () => {
    forgetIntake();
    removeRows().catch(tellError);
  };
  return (
    <Banner tone="warn" title={`${fileName} is not in use yet`}>
      <p>
        {intake.at === 'columns'
          ? 'Columns that the project uses are missing, or their names are ambiguous.'
          : 'Choose its encoding.'}
      </p>
      <div className={styles.questionActions}>
        <Button onClick={() => askAgain()}>
          {intake.at === 'columns' ? 'Match columns' : 'Choose encoding'}
        </Button>
        <Button look="quiet" onClick={remove}>
          Remove
        </Button>
      </div>
    </Banner>
  );
}

function NoRows({ onFiles }: { onFiles: (files: readonly File[]) => void }) {
  return (
    <div className={styles.none}>
      <FileSpreadsheet size={28} aria-hidden="true" />
      <h3>Drop a CSV or Excel file</h3>
      <p>Each row becomes one document. Then drag its columns onto the page.</p>
      <FileButton label="Choose a file" accept={ACCEPT} onFiles={onFiles} />
    </div>
  );
}

function FileFacts({ rows, onFiles }: { rows: RowsInfo; onFiles: (files: readonly File[]) => void }) {
  const [shown, setShown] = useState(false);
  return (
    <div className={styles.file}>
      <div className={styles.fileHead}>
        <div className={styles.fileName}>
          <strong title={rows.fileName}>{rows.fileName}</strong>
          <span>
            {rows.rowCount.toLocaleString()} {rows.rowCount === 1 ? 'row' : 'rows'} · {rows.columnCount}{' '}
            {rows.columnCount === 1 ? 'column' : 'columns'}
          </span>
        </div>
        <IconButton label="Remove the rows" onClick={() => void removeRows().catch(tellError)}>
          <Trash2 size={15} />
        </IconButton>
      </div>
      <div className={styles.fileActions}>
        <Button icon={<Table2 size={15} />} onClick={() => setShown(true)}>
          All rows
        </Button>
        <FileButton label="Replace" accept={ACCEPT} look="quiet" onFiles={onFiles} />
      </div>
      {shown && <RowsDialog rows={rows} onClose={() => setShown(false)} />}
    </div>
  );
}
