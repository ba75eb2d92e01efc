import { Download } from 'lucide-react';
import type { Layout } from '#fill/package/layout-schema.ts';
import { shownKeys } from '../../canvas/toolbar/shown-keys.ts';
import type { CheckReport } from '../../core/check/check-report.ts';
import { patchedCells } from '../../core/rows/cell-patches.ts';
import { useEditor } from '../../editor/editor-store.ts';
import { engine } from '../../engine/engine-client.ts';
import { downloadBlob } from '../../files/download-blob.ts';
import { stemOf } from '../../project/create-project.ts';
import { Button } from '../../ui/button.tsx';
import { tell, tellError } from '../../ui/messages.tsx';
import styles from './fix-rows.module.css';
import { problemReport } from './problem-report.ts';

const KEYS = [
  ['Enter', 'edit'],
  ['Tab', 'next cell'],
  ['Esc', 'cancel'],
  [shownKeys('Mod+Z'), 'undo'],
] as const;

/** The corrected rows and the list of problems as CSV files. */
export function Downloads({
  layout,
  report,
  fileName,
}: {
  layout: Layout;
  report: CheckReport;
  fileName: string;
}) {
  const corrections = useEditor((editor) => patchedCells(editor.rowsReading.patches).length);
  const corrected = async () =>
    downloadBlob(await engine.correctedCsv(), `${stemOf(fileName)}-corrected.csv`);
  const problems = async () => {
    const cells = await engine.pickRows(report.listed.map(({ row }) => row));
    const text = problemReport(layout, report.listed, cells);
    downloadBlob(new Blob([text], { type: 'text/csv;charset=utf-8' }), `${stemOf(fileName)}-problems.csv`);
    const unlisted = report.problemRows.length - report.listed.length;
    if (unlisted > 0)
      tell('bad', `The report does not list ${unlisted.toLocaleString()} further rows with problems.`);
  };
  const shown = corrections === 1 ? '1 corrected cell' : `${corrections.toLocaleString()} corrected cells`;
  return (
    <footer className={styles.footer}>
      <span className={styles.hint}>{corrections === 0 ? 'No corrections yet' : shown}</span>
      <span className={styles.keys}>
        {KEYS.map(([key, does]) => (
          <span key={key}>
            <kbd className={styles.key}>{key}</kbd> {does}
          </span>
        ))}
      </span>
      <Button
        look="quiet"
        icon={<Download size={15} />}
        resting={report.listed.length === 0}
        onClick={() => void problems().catch(tellError)}
      >
        Problem report
      </Button>
      <Button
        look="quiet"
        icon={<Download size={15} />}
        resting={corrections === 0}
        onClick={() => void corrected().catch(tellError)}
      >
        Corrected CSV
      </Button>
    </footer>
  );
}
