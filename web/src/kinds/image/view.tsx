import { ImageIcon } from 'lucide-react';
import type { ImageOverlay } from '#fill/kinds/image/schema.ts';
import { PictureContent } from '../../canvas/content/picture-content.tsx';
import { PictureSection } from '../../inspector/picture-section.tsx';
import type { KindView } from '../kind-view.ts';

export const imageView: KindView<ImageOverlay> = {
  Icon: ImageIcon,
  Content: ({ overlay, shown, assets }) => (
    <PictureContent overlay={overlay} value={shown.text} assets={assets} />
  ),
  sections: { picture: PictureSection },
  valueTitle: 'Picture from',
};
