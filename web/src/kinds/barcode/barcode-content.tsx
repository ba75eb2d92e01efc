import { textShare } from '#fill/draw/codes/code-text.ts';
import type { ModuleGrid } from '#fill/draw/codes/module-grid.ts';
import type { BarcodeOverlay } from '#fill/kinds/barcode/schema.ts';
import { CodeContent } from '../../canvas/content/code-content.tsx';
import styles from '../../canvas/content/content.module.css';
import type { ContentProps } from '../kind-view.ts';

/** Without rows, the box shows bars and the name of the column. */
export function BarcodeContent({ overlay, shown }: ContentProps<BarcodeOverlay>) {
  if (shown.isPlaceholder) return <span className={styles.bars}>{shown.text}</span>;
  return (
    <CodeContent
      overlay={overlay}
      value={shown.text}
      text={(grid, text) => <CodeText overlay={overlay} grid={grid} text={text} />}
    />
  );
}

/** The text below the bars, approximately in the engine's size. The preview shows the exact one. */
function CodeText({ overlay, grid, text }: { overlay: BarcodeOverlay; grid: ModuleGrid; text: string }) {
  const room = textShare(overlay) * overlay.height;
  const [across, down] = [grid.width / overlay.width, grid.height / overlay.height];
  return (
    <g transform={`scale(${across} ${down})`} shapeRendering="auto">
      <text
        x={overlay.width / 2}
        y={overlay.height - room * 0.2}
        fontSize={room * 0.83}
        textAnchor="middle"
        fontFamily="Arial, Helvetica, sans-serif"
        fill={overlay.color}
      >
        {text}
      </text>
    </g>
  );
}
