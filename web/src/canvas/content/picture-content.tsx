import { ImageIcon } from 'lucide-react';
import type { ImageOverlay } from '#fill/kinds/image/schema.ts';
import type { SignatureOverlay } from '#fill/kinds/signature/schema.ts';
import type { StickerOverlay } from '#fill/kinds/sticker/schema.ts';
import styles from './content.module.css';
import { pictureUrl } from './picture-url.ts';
import { TextContent } from './text-content.tsx';

const FIT = { contain: 'contain', cover: 'cover', stretch: 'fill' } as const;
const VALIGN = { top: 'top', middle: 'center', bottom: 'bottom' } as const;

type Picture = ImageOverlay | SignatureOverlay | StickerOverlay;
type Assets = ReadonlyMap<string, Uint8Array>;

export function PictureContent({
  overlay,
  value,
  assets,
}: {
  overlay: Picture;
  value: string;
  assets: Assets;
}) {
  const url = pictureUrl(value.trim(), assets);
  if (url === null)
    return (
      <span className={styles.noPicture}>
        <ImageIcon size={16} aria-hidden="true" />
      </span>
    );
  return (
    <img
      alt=""
      src={url}
      draggable={false}
      className={styles.fill}
      style={{ objectFit: FIT[overlay.fit], objectPosition: `${overlay.align} ${VALIGN[overlay.valign]}` }}
    />
  );
}

/** A typed name is set in the serif's italic, as the engine does. */
export function SignatureContent({
  overlay,
  value,
  assets,
}: {
  overlay: SignatureOverlay;
  value: string;
  assets: Assets;
}) {
  if (pictureUrl(value.trim(), assets) !== null || value.startsWith('assets/'))
    return <PictureContent overlay={overlay} value={value} assets={assets} />;
  const { width, height, align, valign } = overlay;
  const size = Math.max(4, height * 0.7);
  const look = {
    font: 'serif',
    bold: false,
    italic: true,
    size,
    min_size: 4,
    color: '#000000',
    line_height: 1.2,
  };
  return (
    <TextContent
      look={{ ...look, width, height, align, valign, wrap: false, fit: 'shrink' }}
      text={value.trim()}
    />
  );
}

export function StickerContent({ overlay }: { overlay: StickerOverlay }) {
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
