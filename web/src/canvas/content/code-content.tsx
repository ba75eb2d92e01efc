import { type ReactNode, useEffect, useState } from 'react';
import type { ModuleGrid } from '#fill/draw/codes/module-grid.ts';
import type { OverlayWith } from '#fill/kinds/overlay-schema.ts';
import type { EncodedCode } from '../../kinds/kind-tool.ts';
import styles from './content.module.css';
import { codeKey, encodeCode, knownCode } from './encode-code.ts';
import { pdfPaths } from './pdf-path.ts';

/** `text` draws the human-readable text of a symbol, if it has one. */
export function CodeContent({
  overlay,
  value,
  text,
}: {
  overlay: OverlayWith<'isCode'>;
  value: string;
  text?: (grid: ModuleGrid, text: string) => ReactNode;
}) {
  const made = useCode(overlay, value);
  if (made === undefined) return <span className={styles.waiting} />;
  // Written by the style sheet, because the field's name need not contain it. The warnings have the same words.
  if ('invalid' in made)
    return <span className={styles.invalid} data-reason={made.invalid.replace(/\.$/, '')} />;
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
      {made.text !== undefined && text?.(made, made.text)}
    </svg>
  );
}

/** A symbol of a fixed size keeps its size in a larger box. */
function viewBoxOf(overlay: OverlayWith<'isCode'>, { width, height, extent }: ModuleGrid): string {
  if (extent === undefined) return `0 0 ${width} ${height}`;
  const side = (width * Math.min(overlay.width, overlay.height)) / extent;
  return `${(width - side) / 2} ${(height - side) / 2} ${side} ${side}`;
}

function useCode(overlay: OverlayWith<'isCode'>, value: string): EncodedCode | undefined {
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
