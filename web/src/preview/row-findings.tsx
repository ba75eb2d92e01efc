import { PencilRuler } from 'lucide-react';
import type { RowResult } from '#fill/results/manifest.ts';
import { selectField } from '../canvas/commands/select-field.ts';
import { fieldName } from '../core/overlays/field-name.ts';
import { withLabels } from '../core/overlays/value-words.ts';
import { rangesOf, rangesWords } from '../core/runs/row-ranges.ts';
import { useEditor } from '../editor/editor-store.ts';
import type { PreviewedGroup, PreviewedRow } from '../engine/engine-client.ts';
import { useWork } from '../project/work-store.ts';
import { Badge, Banner } from '../ui/badge.tsx';
import { IconButton } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { codeWords, sentence } from './code-words.ts';
import styles from './preview-screen.module.css';
import { pointAt, usePreview } from './preview-store.ts';
import { rowVerdict } from './row-verdict.ts';

/** `Row 7`, or `Group 3 of 120: rows 21–30`. */
const documentWords = ({ row_number }: RowResult, group: PreviewedGroup | undefined): string =>
  group === undefined
    ? `Row ${row_number}`
    : `Group ${group.number.toLocaleString()} of ${group.count.toLocaleString()}: ${rangesWords(rangesOf(group.rows))}`;

/** What the manifest will contain for this row, and the SHA-256 of its PDF. */
export function RowFindings({ result, group }: Pick<PreviewedRow, 'result' | 'group'>) {
  const layout = useEditor((editor) => editor.project?.layout);
  const pointed = usePreview((preview) => preview.pointed?.id);
  const isEncrypted = useWork((work) => work.run.passwordColumn !== null);
  if (layout === undefined) return null;
  const verdict = rowVerdict(result);
  return (
    <section className={styles.part} aria-labelledby="row-findings">
      <div className={styles.partHead}>
        <h2 id="row-findings">{documentWords(result, group)}</h2>
        <Badge tone={verdict.tone}>{verdict.words}</Badge>
      </div>
      {result.file_name !== null && <p className={styles.hint}>{result.file_name}</p>}
      {result.error !== null && (
        <Banner tone="bad" title={sentence(codeWords(result.error.code))}>
          {withLabels(layout, result.error.message)}
        </Banner>
      )}
      {result.warnings.length > 0 && (
        <ul className={styles.findings}>
          {result.warnings.map(({ code, message, overlay_id }) => (
            <li key={`${overlay_id} ${code} ${message}`}>
              <button
                type="button"
                className={styles.finding}
                aria-pressed={pointed === overlay_id}
                onClick={() => pointAt(overlay_id)}
              >
                <strong>{fieldName(layout, overlay_id)}</strong>
                <span>{withLabels(layout, message)}</span>
              </button>
              <IconButton
                label={`Edit ${fieldName(layout, overlay_id)} in Design`}
                onClick={() => selectField(overlay_id)}
              >
                <PencilRuler size={15} />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      {result.sha256 !== null && (
        <>
          <div className={styles.digest}>
            <code data-testid="sha256">{result.sha256}</code>
            <CopyButton what="the SHA-256" text={result.sha256} />
          </div>
          <p className={styles.hint}>
            {isEncrypted
              ? 'SHA-256 of this document before it is encrypted.'
              : `SHA-256 of this document. The server’s file for this ${group === undefined ? 'row' : 'group'} has the same one.`}
          </p>
        </>
      )}
    </section>
  );
}
