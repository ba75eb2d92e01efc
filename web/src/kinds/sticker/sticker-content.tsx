import type { StickerOverlay } from '#fill/kinds/sticker/schema.ts';
import styles from '../../canvas/content/content.module.css';
import { PictureContent } from '../../canvas/content/picture-content.tsx';
import { TextContent } from '../../canvas/content/text-content.tsx';
import type { ContentProps } from '../kind-view.ts';

export function StickerContent({ overlay, shown, assets }: ContentProps<StickerOverlay>) {
  if (overlay.value !== undefined)
    return <PictureContent overlay={overlay} value={shown.text} assets={assets} />;
  return <Tag overlay={overlay} />;
}

function Tag({ overlay }: { overlay: StickerOverlay }) {
  const [r = 0, g = 0, b = 0] = channels(overlay.color);
  const dark = r * 299 + g * 587 + b * 114 <= 128_000;
  const { width, height } = overlay;
  return (
    <span className={styles.tag} style={{ backgroundColor: overlay.color }}>
      <TextContent
        look={{
          font: 'sans',
          bold: true,
          italic: false,
          size: Math.max(1, height * 0.6),
          min_size: 1,
          color: dark ? '#ffffff' : '#000000',
          line_height: 1.2,
          padding: 0,
          width: width * 0.9,
          height,
          align: 'center',
          valign: 'middle',
          wrap: false,
          fit: 'shrink',
        }}
        text={overlay.label}
      />
    </span>
  );
}

function channels(color: string): number[] {
  const digits =
    color.length === 4 ? [...color.slice(1)].map((digit) => digit + digit).join('') : color.slice(1);
  return [0, 2, 4].map((at) => Number.parseInt(digits.slice(at, at + 2), 16));
}
