import { useEffect, useState } from 'react';
import type { BarcodeOverlay, QrOverlay } from '../../../../src/fill/package/layout-schema.ts';
import styles from './content.module.css';
import { type EncodedCode, encodeCode, knownCode } from './encode-code.ts';
import { pdfPaths } from './pdf-path.ts';

export function CodeContent({ overlay, value }: { overlay: QrOverlay | BarcodeOverlay; value: string }) {
  const made = useCode(overlay, value);
  if (made === undefined) return <span className={styles.waiting} />;
  if ('invalid' in made) return <span className={styles.invalid}>{made.invalid.replace(/\.$/, '')}</span>;
  return (
    <svg
      className={styles.fill}
      viewBox={`0 0 ${made.width} ${made.height}`}
      preserveAspectRatio={made.square ? 'xMidYMid' : 'none'}
      shapeRendering="crispEdges"
      aria-hidden="true"
    >
      <rect width={made.width} height={made.height} fill="#ffffff" />
      {made.painting === undefined ? (
        <path d={rectanglesPath(made.rectangles)} fill={overlay.color} fillRule="evenodd" />
      ) : (
        pdfPaths(made.painting).map(({ d, color }) => <path key={d} d={d} fill={color ?? overlay.color} />)
      )}
    </svg>
  );
}

function useCode(overlay: QrOverlay | BarcodeOverlay, value: string): EncodedCode | undefined {
  const [made, setMade] = useState<{ readonly for: string; readonly code: EncodedCode }>();
  const known = knownCode(overlay, value);
  const kind = overlay.type === 'qr' ? overlay.ecc : overlay.symbology;
  const wanted = `${kind}\n${value}`;
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
