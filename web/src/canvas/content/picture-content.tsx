import { ImageIcon } from 'lucide-react';
import type { OverlayWith } from '#fill/kinds/overlay-schema.ts';
import { useWork } from '../../project/work-store.ts';
import styles from './content.module.css';
import { pictureUrl } from './picture-url.ts';

const FIT = { contain: 'contain', cover: 'cover', stretch: 'fill' } as const;
const VALIGN = { top: 'top', middle: 'center', bottom: 'bottom' } as const;

type Assets = ReadonlyMap<string, Uint8Array>;

export function PictureContent({
  overlay,
  value,
  assets,
}: {
  overlay: OverlayWith<'isPicture'>;
  value: string;
  assets: Assets;
}) {
  const pictures = useWork((work) => work.pictures?.files);
  const url = pictureUrl(value.trim(), assets, pictures);
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
