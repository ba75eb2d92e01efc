import { FileSpreadsheet, Table2, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useEditor } from '../editor/editor-store.ts';
import type { RowsInfo, RowsReading } from '../editor/project.ts';
import type { EngineRefusal } from '../engine/engine-client.ts';
import { DropTarget } from '../files/drop-target.tsx';
import { FileButton } from '../files/file-button.tsx';
import { useWork } from '../files/work-store.ts';
import { Banner } from '../ui/badge.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { tellError } from '../ui/messages.tsx';
import { Waiting } from '../ui/waiting.tsx';
import { ColumnList } from './column-list.tsx';
import styles from './data-panel.module.css';
import { openRowsFile, removeRows } from './open-rows-file.ts';
import { ReadingOptions } from './reading-options.tsx';
import { RowStepper } from './row-stepper.tsx';
import { RowsDialog } from './rows-dialog.tsx';

const ACCEPT = '.csv,.tsv,.txt,.xlsx,text/csv';

/** The rows the layout is tried with: the file, how it is read, its columns. */
export function DataPanel() {
  const rows = useEditor((editor) => editor.rows);
  const reading = useEditor((editor) => editor.rowsReading);
  const file = useWork((work) => work.rowsFile);
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<(EngineRefusal & { fileName: string }) | null>(null);
  const read = async (blob: Blob, fileName: string, how: RowsReading) => {
    setBusy(true);
    setRefusal(null);
    try {
      const opened = await openRowsFile(blob, fileName, how);
      if (!opened.ok) setRefusal({ ...opened, fileName });
    } finally {
      setBusy(false);
    }
  };
  const take = ([chosen]: readonly File[]) => {
    // A new file is read by its own signs, not by those of the one before.
    if (chosen !== undefined)
      void read(chosen, chosen.name, { ...reading, delimiter: null, encoding: null }).catch(tellError);
  };
  return (
    <DropTarget label="Rows" onFiles={take} className={styles.panel}>
      {refusal !== null && (
        <Banner tone="bad" title={`${refusal.fileName} cannot be read`}>
          {refusal.message} {rows !== null && 'The rows that were here are still here.'}
        </Banner>
      )}
      {busy && <Waiting label="Reading the rows" />}
      {!busy && rows === null && <NoRows onFiles={take} />}
      {!busy && rows !== null && (
        <>
          <FileFacts rows={rows} onFiles={take} />
          <ReadingOptions
            rows={rows}
            reading={reading}
            onChange={(how) => {
              if (file !== null) void read(file.file, file.fileName, how).catch(tellError);
            }}
          />
          <RowStepper />
          <ColumnList rows={rows} />
        </>
      )}
    </DropTarget>
  );
}

function NoRows({ onFiles }: { onFiles: (files: readonly File[]) => void }) {
  return (
    <div className={styles.none}>
      <FileSpreadsheet size={28} aria-hidden="true" />
      <h3>Drop a CSV or Excel file</h3>
      <p>Each row becomes one document. Its columns can then be dragged onto the page.</p>
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
