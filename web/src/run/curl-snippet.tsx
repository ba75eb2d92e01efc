import { useEffect, useState } from 'react';
import type { Settings } from '#console/contract/settings.ts';
import { serverSettings } from '../api/server-settings.ts';
import { patchedCells } from '../core/rows/cell-patches.ts';
import { useEditor } from '../editor/editor-store.ts';
import { engine } from '../engine/engine-client.ts';
import { downloadBlob } from '../files/download-blob.ts';
import { stemOf } from '../project/create-project.ts';
import type { RowsInfo } from '../project/project.ts';
import { useWork } from '../project/work-store.ts';
import { fileStem } from '../saving/file-stem.ts';
import { basePath } from '../shell/base-path.ts';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { tellError } from '../ui/messages.tsx';
import { curlCommand } from './curl-command.ts';
import styles from './run-dialog.module.css';

/** Shows the current run settings as a command. */
export function CurlSnippet({ rows }: { rows: RowsInfo }) {
  const project = useEditor((editor) => editor.project);
  const reading = useEditor((editor) => editor.rowsReading);
  const choices = useWork((work) => work.run);
  const pictures = useWork((work) => work.pictures);
  const [settings, setSettings] = useState<Settings | null>(null);
  useEffect(() => {
    // Falls back to the address of this page.
    serverSettings().then(setSettings, () => setSettings(null));
  }, []);
  if (project === null) return null;
  // The server detects encoding and delimiter and reads by position. A file that needs the user's choices is sent as a copy.
  const { columns = null, encoding, delimiter } = reading;
  const isCorrected = patchedCells(reading.patches).length > 0;
  const asIs =
    !isCorrected && columns === null && (rows.kind === 'xlsx' || (encoding === null && delimiter === null));
  const rowsName = asIs ? rows.fileName : `${stemOf(rows.fileName)}-rows.${rows.sentAs}`;
  const download = async () => downloadBlob((await engine.rowsToSend([[1, rows.rowCount]])).file, rowsName);
  const picturesName =
    pictures === null ? undefined : pictures.zip === null ? `${pictures.name}.zip` : pictures.name;
  const command = curlCommand({
    baseUrl: settings?.public_url ?? `${window.location.origin}${basePath}`,
    pdf: project.source.fileName,
    package: `${fileStem(project.name)}.doqlo`,
    rows: rowsName,
    isWorkbook: (asIs ? rows.kind : rows.sentAs) === 'xlsx',
    header: asIs && reading.header,
    cellValues: asIs ? reading.cells : undefined,
    pictures: picturesName,
    choices,
  });
  return (
    <details className={styles.curl}>
      <summary>Run from a script</summary>
      {!asIs && (
        <div className={styles.rowsForScript}>
          <p className={styles.hint}>
            {isCorrected
              ? `Your corrections are not in ${rows.fileName}.`
              : `The server reads ${rows.fileName} differently.`}{' '}
            Send this copy of its rows instead.
          </p>
          <Button onClick={() => void download().catch(tellError)}>Download {rowsName}</Button>
        </div>
      )}
      {pictures?.zip === null && (
        <p className={styles.hint}>
          Zip the folder {pictures.name} as {picturesName}.
        </p>
      )}
      <div className={styles.command}>
        <pre>{command}</pre>
        <CopyButton what="the command" text={command} />
      </div>
    </details>
  );
}
