import { useEffect } from 'react';
import { useEditor } from '../editor/editor-store.ts';
import { useWork } from '../project/work-store.ts';
import { showWindow } from '../run/run-store.ts';
import { useIsUngrouped } from '../run/ungrouped.ts';
import { Banner, EmptyState } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { tellError } from '../ui/messages.tsx';
import { Waiting } from '../ui/waiting.tsx';
import { CheckPanel } from './check-panel.tsx';
import { FixRows } from './fix/fix-rows.tsx';
import { PageViewer } from './page-viewer.tsx';
import { PreviewBar } from './preview-bar.tsx';
import styles from './preview-screen.module.css';
import { fillShownRow, findLongest, usePreview } from './preview-store.ts';
import { RowFindings } from './row-findings.tsx';

/** Shows the PDF of a row instead of the canvas. Its bytes are equal to those that the server creates. */
export function PreviewScreen() {
  const layout = useEditor((editor) => editor.project?.layout);
  const name = useEditor((editor) => editor.project?.name);
  const row = useEditor((editor) => editor.previewRow);
  const rows = useEditor((editor) => editor.rows);
  const run = useWork((work) => work.run);
  const pictures = useWork((work) => work.pictures);
  const shown = usePreview((preview) => preview.shown);
  const busy = usePreview((preview) => preview.busy);
  const fixing = usePreview((preview) => preview.fixing) && rows !== null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each of these makes another PDF
  useEffect(() => {
    void fillShownRow();
  }, [layout, row, rows, run, pictures]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the longest values belong to one layout and one file
  useEffect(() => {
    void findLongest().catch(tellError);
  }, [layout, rows]);
  const showPanel = useEditor((editor) => editor.showPanel);
  return (
    <section className={styles.screen} aria-label="Preview">
      <h1 className="visually-hidden">Preview of {name}</h1>
      {!fixing && <PreviewBar />}
      <div className={fixing ? styles.fixing : styles.body}>
        {fixing && <FixRows />}
        <section
          key={fixing ? 'beside' : 'alone'}
          className={styles.desk}
          aria-busy={busy}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
          tabIndex={0}
          aria-label="The filled document"
        >
          {rows === null && (
            <Banner
              tone="accent"
              title="No rows yet"
              action={<Button onClick={() => showPanel('data')}>Add rows</Button>}
            >
              Fields that use a column are blank until you add rows.
            </Banner>
          )}
          <UngroupedNotice />
          {shown === null && <Waiting label="Filling the row" />}
          {shown !== null && !shown.ok && (
            <Banner tone="bad" title="Cannot fill this row">
              {shown.message}
            </Banner>
          )}
          {shown?.ok === true && shown.pdf === null && (
            <EmptyState
              title={`${shown.group === undefined ? `Row ${row}` : `Group ${shown.group.number}`} has no document`}
            >
              {shown.result.error?.message}
            </EmptyState>
          )}
          {shown?.ok === true && shown.pdf !== null && <PageViewer pdf={shown.pdf} />}
        </section>
        {!fixing && (
          <aside className={styles.side} aria-label="Findings">
            {shown?.ok === true && <RowFindings {...shown} />}
            <CheckPanel />
          </aside>
        )}
      </div>
    </section>
  );
}

/** A table without groups shows one row in each document, which is rarely wanted. */
function UngroupedNotice() {
  const isUngrouped = useIsUngrouped();
  const rows = useEditor((editor) => editor.rows);
  if (!isUngrouped || rows === null) return null;
  return (
    <Banner
      tone="accent"
      title="The table shows one row"
      action={<Button onClick={() => showWindow('options')}>Choose a group column</Button>}
    >
      Every row is a document. Choose the column whose equal values make rows one document.
    </Banner>
  );
}
