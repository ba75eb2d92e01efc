import { Type } from 'lucide-react';
import type { TextOverlay } from '#fill/kinds/text/schema.ts';
import { CombContent } from '../../canvas/content/comb-content.tsx';
import { TextContent } from '../../canvas/content/text-content.tsx';
import { FormatSection } from '../../inspector/format-section.tsx';
import { TypeSection } from '../../inspector/type-section.tsx';
import type { KindView } from '../kind-view.ts';
import { CombSection } from './comb-section.tsx';
import { MarkupSection } from './markup-section.tsx';

export const textView: KindView<TextOverlay> = {
  Icon: Type,
  Content: ({ overlay, shown }) =>
    overlay.comb === undefined ? (
      <TextContent look={overlay} text={shown.text} parts={shown.parts} />
    ) : (
      <CombContent look={overlay} text={shown.text} comb={overlay.comb} />
    ),
  sections: { type: TypeSection, markup: MarkupSection, comb: CombSection, format: FormatSection },
};
