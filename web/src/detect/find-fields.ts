import { detectFields } from '../core/detect/detect-fields.ts';
import { overlaps } from '../core/detect/place.ts';
import { type Proposal, rectsOf } from '../core/detect/proposal.ts';
import { overlaysOn } from '../core/overlays/find-overlays.ts';
import { marksOfPage } from '../core/page-content/marks-of-page.ts';
import { useEditor } from '../editor/editor-store.ts';
import { breathe } from '../engine/filling/breathe.ts';
import { loadPdfjs, openPdf } from '../pdf/open-pdf.ts';
import { say, tell } from '../ui/messages.tsx';
import { type ReviewItem, useDetect } from './detect-store.ts';

const COVERED = 0.5;
const SHOW_MS = 400;

/**
 * Detects the fields of the open project page by page; each page takes a few milliseconds, and the browser draws between
 * them. `isAutomatic` says nothing if there is nothing to review.
 */
export async function findFields({ isAutomatic = false } = {}): Promise<void> {
  const { project, openings } = useEditor.getState();
  if (project === null) return;
  // Asked for while the automatic search runs: that one reports.
  if (!isAutomatic) useDetect.setState({ isAsked: true });
  if (useDetect.getState().phase === 'finding') return;
  const { bytes, pages } = project.source;
  useDetect.setState({
    phase: 'finding',
    isAsked: !isAutomatic,
    pagesRead: 0,
    pageCount: pages.length,
    items: [],
    active: null,
  });
  const isStale = () =>
    useEditor.getState().openings !== openings || useDetect.getState().phase !== 'finding';
  try {
    const [{ OPS }, pdf] = await Promise.all([loadPdfjs(), openPdf(bytes)]);
    try {
      let waiting: ReviewItem[] = [];
      let shownAt = 0;
      for (let number = 1; number <= pdf.numPages && !isStale(); number += 1) {
        const page = await pdf.getPage(number);
        const found = detectFields(await marksOfPage(page, OPS), number).filter(isUncovered);
        page.cleanup();
        if (isStale()) return;
        waiting.push(...found.map((proposal, at) => itemOf(proposal, `${number}-${at}`)));
        // Drawing the list takes longer than reading a page, so it is drawn a few times a second.
        if (number === pdf.numPages || performance.now() - shownAt >= SHOW_MS) {
          const next = waiting;
          waiting = [];
          shownAt = performance.now();
          useDetect.setState(({ items }) => ({ pagesRead: number, items: [...items, ...next] }));
        }
        await breathe();
      }
    } finally {
      await pdf.loadingTask.destroy();
    }
  } catch (error) {
    if (!isStale()) useDetect.setState({ phase: 'idle', items: [] });
    throw error;
  }
  if (!isStale()) finish();
}

function finish(): void {
  const { items, isAsked } = useDetect.getState();
  useDetect.setState({ phase: items.length === 0 ? 'idle' : 'review' });
  if (items.length > 0) {
    say(
      `${items.length === 1 ? '1 field' : `${items.length} fields`} found. Review them in the list of fields.`,
    );
  } else if (isAsked) {
    tell(
      'bad',
      'No new fields found. Pages that are scanned pictures have no lines or text to read. Choose a tool above to place fields yourself.',
    );
  }
}

const itemOf = (proposal: Proposal, id: string): ReviewItem => ({ id, proposal, name: proposal.name });

/** Places that a field already fills are not proposed again. */
function isUncovered(proposal: Proposal): boolean {
  const layout = useEditor.getState().project?.layout;
  const placed = layout === undefined ? [] : overlaysOn(layout, proposal.page);
  return !rectsOf(proposal).some((rect) => placed.some((overlay) => overlaps(rect, overlay, COVERED)));
}
