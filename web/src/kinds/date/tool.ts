import type { DateOverlay } from '#fill/kinds/date/schema.ts';
import { dateTraits } from '#fill/kinds/date/traits.ts';
import type { KindTool } from '../kind-tool.ts';

export const dateTool: KindTool<DateOverlay> = { name: 'Date', badge: 'D', key: 'D', traits: dateTraits };
