import { useEffect, useState } from 'react';
import { useEditor } from '../editor/editor-store.ts';
import type { RowsInfo } from '../editor/project.ts';
import { CopyButton } from '../files/copy-button.tsx';
import { fileStem } from '../files/file-stem.ts';
import { type ServerSettings, serverSettings } from '../files/server-settings.ts';
import { useWork } from '../files/work-store.ts';
import { basePath } from '../shell/base-path.ts';
import { curlCommand } from './curl-command.ts';
import styles from './run-dialog.module.css';

/** The run that is being set up, as a command. */
export function CurlSnippet({ rows }: { rows: RowsInfo }) {
  const project = useEditor((editor) => editor.project);
  const header = useEditor((editor) => editor.rowsReading.header);
  const cellValues = useEditor((editor) => editor.rowsReading.cells);
  const choices = useWork((work) => work.run);
  const [settings, setSettings] = useState<ServerSettings | null>(null);
  useEffect(() => {
    // Without them the address of this page is the next best.
    serverSettings().then(setSettings, () => setSettings(null));
  }, []);
  if (project === null) return null;
  const command = curlCommand({
    baseUrl: settings?.public_url ?? `${window.location.origin}${basePath}`,
    pdf: project.source.fileName,
    package: `${fileStem(project.name)}.doqlo`,
    rows: rows.fileName,
    isWorkbook: rows.kind === 'xlsx',
    header,
    cellValues,
    choices,
  });
  return (
    <details className={styles.curl}>
      <summary>Run it from a script</summary>
      <div className={styles.command}>
        <pre>{command}</pre>
        <CopyButton label="Copy the command" text={command} />
      </div>
    </details>
  );
}
