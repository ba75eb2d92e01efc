import { Type } from 'lucide-react';
import type { TextOverlay } from '#fill/kinds/text/schema.ts';
import { TextContent } from '../../canvas/content/text-content.tsx';
import { FormatSection } from '../../inspector/format-section.tsx';
import { TypeSection } from '../../inspector/type-section.tsx';
import type { KindView } from '../kind-view.ts';

export const textView: KindView<TextOverlay> = {
  Icon: Type,
  Content: ({ overlay, shown }) => <TextContent look={overlay} text={shown.text} />,
  sections: { type: TypeSection, format: FormatSection },
};
