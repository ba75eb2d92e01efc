import { ScanSearch } from 'lucide-react';
import { lazy, Suspense, useEffect } from 'react';
import { useEditor } from '../editor/editor-store.ts';
import { fillableFields } from '../project/form-layout.ts';
import { Button } from '../ui/button.tsx';
import { tellError } from '../ui/messages.tsx';
import { Waiting } from '../ui/waiting.tsx';
import { stopDetection, useDetect } from './detect-store.ts';
import styles from './review.module.css';

const ReviewPanel = lazy(async () => ({ default: (await import('./review-panel.tsx')).ReviewPanel }));

/** Starts a search. The detector is loaded on first use. */
export function startDetection(isAutomatic = false): void {
  useEditor.getState().showPanel('fields');
  void import('./find-fields.ts').then(({ findFields }) => findFields({ isAutomatic })).catch(tellError);
}

/** Whether the PDF has no form fields of its own to fill. */
export const useIsFlat = (): boolean =>
  useEditor(({ project }) => project !== null && fillableFields(project.source.metadata).length === 0);

/** Searches a project that was opened with the wish to do so, and ends the review when another one opens. */
export function useDetectionOnOpening(): void {
  const openings = useEditor((editor) => editor.openings);
  useEffect(() => {
    // The canvas is mounted again after a preview: the review goes on.
    const { isWanted, opening } = useDetect.getState();
    if (opening === openings) return;
    stopDetection();
    useDetect.setState({ opening: openings });
    if (isWanted) startDetection(true);
  }, [openings]);
}

/** Above the list of fields: the offer to find fields, the progress, or the review. */
export function DetectSection() {
  const phase = useDetect((detect) => detect.phase);
  const hasItems = useDetect((detect) => detect.items.length > 0);
  const hasFields = useEditor(({ project }) => (project?.layout.overlays.length ?? 0) > 0);
  const isFlat = useIsFlat();
  if (phase === 'idle' && (hasFields || !isFlat)) return null;
  if (phase === 'idle')
    return (
      <section aria-label="Find fields" className={styles.offer}>
        <p>Find the boxes, lines and check boxes of this form, and review them before they are added.</p>
        <Button icon={<ScanSearch size={16} />} onClick={() => startDetection()}>
          Find fields
        </Button>
      </section>
    );
  return (
    <>
      {phase === 'finding' && <Progress />}
      {hasItems && (
        <Suspense fallback={<Waiting label="Loading the review" />}>
          <ReviewPanel />
        </Suspense>
      )}
    </>
  );
}

function Progress() {
  const pagesRead = useDetect((detect) => detect.pagesRead);
  const pageCount = useDetect((detect) => detect.pageCount);
  return (
    <section aria-label="Finding fields" className={styles.progress}>
      <p>
        Finding fields: {pagesRead} of {pageCount} {pageCount === 1 ? 'page' : 'pages'}
      </p>
      <Button look="quiet" onClick={stopDetection}>
        Stop
      </Button>
    </section>
  );
}
