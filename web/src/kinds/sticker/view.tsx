import { StickyNote } from 'lucide-react';
import type { StickerOverlay } from '#fill/kinds/sticker/schema.ts';
import { PictureSection } from '../../inspector/picture-section.tsx';
import type { KindView } from '../kind-view.ts';
import { StickerContent } from './sticker-content.tsx';
import { StickerSection } from './sticker-section.tsx';

export const stickerView: KindView<StickerOverlay> = {
  Icon: StickyNote,
  Content: StickerContent,
  sections: { sticker: StickerSection, picture: PictureSection },
};
