import type { StickerOverlay } from '#fill/kinds/sticker/schema.ts';
import { stickerTraits } from '#fill/kinds/sticker/traits.ts';
import type { KindTool } from '../kind-tool.ts';

export const stickerTool: KindTool<StickerOverlay> = {
  name: 'Sticker',
  badge: 'ST',
  key: 'K',
  traits: stickerTraits,
  label: ({ value, label }) => (value === undefined ? label : undefined),
};
