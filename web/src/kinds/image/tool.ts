import type { ImageOverlay } from '#fill/kinds/image/schema.ts';
import { imageTraits } from '#fill/kinds/image/traits.ts';
import type { KindTool } from '../kind-tool.ts';

export const imageTool: KindTool<ImageOverlay> = {
  name: 'Image',
  badge: 'IM',
  key: 'I',
  traits: imageTraits,
};
