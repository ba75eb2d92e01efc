import { useRef } from 'react';
import { fitOf, placeOf, type Sheet } from '#fill/sheet/sheet.ts';
import { formatLength } from '../core/geometry/units.ts';
import { readSheetChoice, type SheetChoice, sheetCount } from '../core/runs/sheet-choice.ts';
import { useEditor } from '../editor/editor-store.ts';
import { chooseRun, useWork } from '../project/work-store.ts';
import styles from './output.module.css';
import { rangeOf } from './run-choices.ts';
import { useDocumentCount } from './use-document-count.ts';
import { useSheetPreview } from './use-sheet-preview.ts';

/** The first sheet with the run's first rows on it, and how many sheets the run needs. */
export function SheetPicture({ choice, problemId }: { choice: SheetChoice; problemId: string }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const rowCount = useEditor((editor) => editor.rows?.rowCount ?? 0);
  const run = useWork((work) => work.run);
  const documents = useDocumentCount();
  const { sheet, drawn, problem } = readSheetChoice(choice);
  const { from, to } = rangeOf(run, rowCount);
  const isGrouped = run.groupBy.length > 0;
  const count = isGrouped
    ? (documents.count ?? 0)
    : Math.max(0, Math.min(to, rowCount) - Math.max(1, from) + 1);
  const { preview, isCurrent } = useSheetPreview(sheet, [Math.max(1, from), to], canvas);
  const box = drawn === null ? null : extent(drawn);
  const ratio = box === null ? 1 : box.width / box.height;
  return (
    <figure className={styles.figure}>
      <div className={styles.stage}>
        {drawn === null || box === null ? (
          <p className={styles.none}>The sheet is shown here once its sizes are valid.</p>
        ) : (
          <div
            className={styles.paper}
            data-usable={sheet !== null || undefined}
            style={{ width: `min(100cqw, ${100 * ratio}cqh)`, aspectRatio: String(ratio) }}
            data-labels={isCurrent && sheet !== null ? preview?.labels : undefined}
          >
            <div aria-hidden="true" hidden={sheet === null} data-stale={!isCurrent || undefined}>
              <canvas ref={canvas} />
            </div>
            <Labels sheet={drawn} isUsable={sheet !== null} count={count} box={box} />
          </div>
        )}
      </div>
      <figcaption className={styles.caption}>
        <span id={problemId} role="alert" className={styles.problem}>
          {problem?.message}
        </span>
        {sheet !== null && (
          <>
            <strong>{sheetsWords(sheet, count, isGrouped ? 'group' : 'row')}</strong>{' '}
            <FitNote sheet={sheet} />
            {preview?.refused && <span className={styles.refused}>{preview.refused}</span>}
          </>
        )}
      </figcaption>
    </figure>
  );
}

interface Box {
  readonly width: number;
  readonly height: number;
}

/** The sheet, and labels that lie beyond it. */
function extent(sheet: Sheet): Box {
  const right = sheet.margin_left + (sheet.columns - 1) * sheet.pitch_x + sheet.label_width;
  const bottom = sheet.margin_top + (sheet.rows - 1) * sheet.pitch_y + sheet.label_height;
  return { width: Math.max(sheet.width, right), height: Math.max(sheet.height, bottom) };
}

/** The outlines of the labels. A click on one starts there; the input for labels to skip does the same. */
function Labels({
  sheet,
  isUsable,
  count,
  box,
}: {
  sheet: Sheet;
  isUsable: boolean;
  count: number;
  box: Box;
}) {
  const cells = sheet.columns * sheet.rows;
  // Counts the cells of the first sheet from 0, whatever is skipped.
  const whole = { ...sheet, skip: 0 };
  const start = (skip: number) => {
    const { sheet: chosen } = useWork.getState().run;
    if (chosen !== null && isUsable) chooseRun({ sheet: { ...chosen, skip: String(skip) } });
  };
  return (
    <svg
      viewBox={`0 0 ${box.width} ${box.height}`}
      role="img"
      aria-label={`First sheet, ${cells} ${cells === 1 ? 'label' : 'labels'}, ${sheet.skip} skipped`}
    >
      {!isUsable && <rect className={styles.outline} width={sheet.width} height={sheet.height} />}
      {Array.from({ length: cells }, (_, cell) => {
        const { x, y } = placeOf(whole, cell);
        const top = sheet.height - y - sheet.label_height;
        const isBeyond =
          x + sheet.label_width > sheet.width + 0.01 || top + sheet.label_height > sheet.height + 0.01;
        const isUsed = cell >= sheet.skip && cell < sheet.skip + count;
        const state = isBeyond ? 'beyond' : cell < sheet.skip ? 'skipped' : isUsed ? 'used' : 'free';
        return (
          // biome-ignore lint/a11y/noStaticElementInteractions: the input for labels to skip does the same with keys
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a label is its place
            key={cell}
            className={styles.label}
            data-state={state}
            x={x}
            y={top}
            width={sheet.label_width}
            height={sheet.label_height}
            rx={2}
            onClick={() => start(cell)}
          >
            <title>{`Start at label ${cell + 1}`}</title>
          </rect>
        );
      })}
    </svg>
  );
}

function sheetsWords(sheet: Sheet, count: number, unit: string): string {
  const sheets = sheetCount(sheet, count);
  const cells = sheet.columns * sheet.rows;
  const labels = `${cells.toLocaleString()} ${cells === 1 ? 'label' : 'labels'} per sheet`;
  if (count === 0) return labels;
  return `${sheets.toLocaleString()} ${sheets === 1 ? 'sheet' : 'sheets'} for ${count.toLocaleString()} ${count === 1 ? unit : `${unit}s`}, ${labels}.`;
}

/** How the page fits a label. A page made for another size is usually a mistake. */
function FitNote({ sheet }: { sheet: Sheet }) {
  const page = useEditor((editor) => editor.project?.source.pages[0]);
  const unit = useWork((work) => work.run.sheet?.own.unit ?? 'mm');
  if (page === undefined) return null;
  const { scale } = fitOf(sheet, page);
  if (scale === 1) return <span>The page is printed at its own size.</span>;
  const short = (points: number) => Number(Number(formatLength(points, unit)).toFixed(1));
  const size = (wide: number, high: number) => `${short(wide)} × ${short(high)} ${unit}`;
  return (
    <span>
      The page ({size(page.width, page.height)}) is scaled to {Math.max(1, Math.round(scale * 100))} % to fit
      a label ({size(sheet.label_width, sheet.label_height)}).
    </span>
  );
}
