import { useEffect, useState } from 'react';
import { textShare } from '#fill/draw/codes/code-text.ts';
import type { ModuleGrid } from '#fill/draw/codes/module-grid.ts';
import type { BarcodeOverlay } from '#fill/kinds/barcode/schema.ts';
import type { QrOverlay } from '#fill/kinds/qr/schema.ts';
import styles from './content.module.css';
import { codeKey, type EncodedCode, encodeCode, knownCode } from './encode-code.ts';
import { pdfPaths } from './pdf-path.ts';

export function CodeContent({ overlay, value }: { overlay: QrOverlay | BarcodeOverlay; value: string }) {
  const made = useCode(overlay, value);
  if (made === undefined) return <span className={styles.waiting} />;
  if ('invalid' in made) return <span className={styles.invalid}>{made.invalid.replace(/\.$/, '')}</span>;
  return (
    <svg
      className={styles.fill}
      viewBox={viewBoxOf(overlay, made)}
      preserveAspectRatio={made.square ? 'xMidYMid' : 'none'}
      shapeRendering="crispEdges"
      aria-hidden="true"
    >
      <rect width={made.width} height={made.height} fill="#ffffff" />
      {made.painting === undefined ? (
        <path d={rectanglesPath(made.rectangles)} fill={overlay.color} fillRule="evenodd" />
      ) : (
        pdfPaths(made.painting).map(({ d, color }) => (
          <path key={d} d={d} fill={color ?? overlay.color} fillRule="evenodd" />
        ))
      )}
      {overlay.type === 'barcode' && made.text !== undefined && (
        <CodeText overlay={overlay} grid={made} text={made.text} />
      )}
    </svg>
  );
}

/** A symbol of a fixed size keeps it in a larger box. */
function viewBoxOf(overlay: QrOverlay | BarcodeOverlay, { width, height, extent }: ModuleGrid): string {
  if (extent === undefined) return `0 0 ${width} ${height}`;
  const side = (width * Math.min(overlay.width, overlay.height)) / extent;
  return `${(width - side) / 2} ${(height - side) / 2} ${side} ${side}`;
}

/** Below the bars, about as large as the engine sets it; the preview shows the engine's own. */
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

function useCode(overlay: QrOverlay | BarcodeOverlay, value: string): EncodedCode | undefined {
  const [made, setMade] = useState<{ readonly for: string; readonly code: EncodedCode }>();
  const known = knownCode(overlay, value);
  const wanted = codeKey(overlay, value);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the overlay changes with every move, what it encodes does not
  useEffect(() => {
    if (known !== undefined) return;
    let stale = false;
    encodeCode(overlay, value).then(
      (code) => {
        if (!stale) setMade({ for: wanted, code });
      },
      () => {
        if (!stale) setMade({ for: wanted, code: { invalid: 'the encoder could not be loaded.' } });
      },
    );
    return () => {
      stale = true;
    };
  }, [wanted, known]);
  return known ?? (made?.for === wanted ? made.code : undefined);
}

function rectanglesPath(rectangles: ArrayLike<number>): string {
  let path = '';
  for (let at = 0; at < rectangles.length; at += 4) {
    path += `M${rectangles[at]} ${rectangles[at + 1]}h${rectangles[at + 2]}v${rectangles[at + 3]}h${-(rectangles[at + 2] ?? 0)}z`;
  }
  return path;
}
