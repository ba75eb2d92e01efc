import type { Frame, ImageItem } from '../display-list.ts';
import type { PdfImage } from './pdf-image.ts';

export interface PictureFit {
  readonly fit: 'contain' | 'cover' | 'stretch';
  readonly align: 'left' | 'center' | 'right';
  readonly valign: 'top' | 'middle' | 'bottom';
}

/** Places a picture in its frame: contained in it, covering it (and cropped), or stretched to its shape. */
export function fitPicture(
  overlayId: string,
  frame: Frame,
  image: Pick<PdfImage, 'width' | 'height' | 'orientation'>,
  name: string,
  { fit, align, valign }: PictureFit,
): ImageItem {
  let { width, height } = frame;
  if (fit !== 'stretch') {
    const across = frame.width / image.width;
    const down = frame.height / image.height;
    const scale = fit === 'contain' ? Math.min(across, down) : Math.max(across, down);
    width = image.width * scale;
    height = image.height * scale;
  }
  const freeX = frame.width - width;
  const freeY = frame.height - height;
  const x = align === 'left' ? 0 : align === 'center' ? freeX / 2 : freeX;
  const y = valign === 'bottom' ? 0 : valign === 'middle' ? freeY / 2 : freeY;
  const { orientation } = image;
  return {
    kind: 'image',
    overlayId,
    frame,
    name,
    orientation,
    x,
    y,
    width,
    height,
    clipped: fit === 'cover',
  };
}
