import type { TextOverlay } from '#fill/kinds/text/schema.ts';
import { textTraits } from '#fill/kinds/text/traits.ts';
import type { KindTool } from '../kind-tool.ts';

export const textTool: KindTool<TextOverlay> = { name: 'Text', badge: 'F', key: 'T', traits: textTraits };
