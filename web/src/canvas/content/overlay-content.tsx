import { MARKS } from '#fill/kinds/check/draw.ts';
import type { CheckOverlay } from '#fill/kinds/check/schema.ts';
import type { Layout, Overlay } from '#fill/package/layout-schema.ts';
import { compileTick } from '#fill/values/match-option.ts';
import { CodeContent } from './code-content.tsx';
import styles from './content.module.css';
import { pdfPaths } from './pdf-path.ts';
import { PictureContent, SignatureContent, StickerContent } from './picture-content.tsx';
import { shownValue } from './shown-value.ts';
import { TextContent } from './text-content.tsx';

interface Props {
  readonly layout: Layout;
  readonly overlay: Overlay;
  readonly cells: readonly string[];
  readonly assets: ReadonlyMap<string, Uint8Array>;
}

/** What the preview row puts into an overlay's box. */
export function OverlayContent({ layout, overlay, cells, assets }: Props) {
  const format = 'format' in overlay ? overlay.format : undefined;
  const { text, isPlaceholder } = shownValue(layout, overlay.value, format, cells);
  switch (overlay.type) {
    case 'text':
    case 'date':
      return <TextContent look={overlay} text={text} />;
    case 'qr':
    case 'barcode':
      if (isPlaceholder && overlay.type === 'barcode') return <span className={styles.bars}>{text}</span>;
      return <CodeContent overlay={overlay} value={text} />;
    case 'image':
      return <PictureContent overlay={overlay} value={text} assets={assets} />;
    case 'signature':
      return <SignatureContent overlay={overlay} value={text} assets={assets} />;
    case 'sticker':
      if (overlay.value === undefined) return <StickerContent overlay={overlay} />;
      return <PictureContent overlay={overlay} value={text} assets={assets} />;
    case 'check':
      return <CheckContent overlay={overlay} value={isPlaceholder ? 'yes' : text} />;
  }
}

function CheckContent({ overlay, value }: { overlay: CheckOverlay; value: string }) {
  const onValues = overlay.on_value === undefined ? [] : [overlay.on_value];
  const match = compileTick(onValues.map((onValue) => ({ value: onValue, label: onValue })));
  if (match(value) !== 'on') return null;
  return (
    <svg className={styles.fill} viewBox="0 0 1 1" aria-hidden="true">
      <g transform="matrix(1 0 0 -1 0 1)">
        {pdfPaths(MARKS[overlay.mark]).map(({ d }) => (
          <path key={d} d={d} fill={overlay.color} />
        ))}
      </g>
    </svg>
  );
}
