import { CalendarDays } from 'lucide-react';
import type { DateOverlay } from '#fill/kinds/date/schema.ts';
import { TextContent } from '../../canvas/content/text-content.tsx';
import { FormatSection } from '../../inspector/format-section.tsx';
import { TypeSection } from '../../inspector/type-section.tsx';
import type { KindView } from '../kind-view.ts';

export const dateView: KindView<DateOverlay> = {
  Icon: CalendarDays,
  Content: ({ overlay, shown }) => <TextContent look={overlay} text={shown.text} />,
  sections: { type: TypeSection, format: FormatSection },
};
