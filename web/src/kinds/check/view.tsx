import { CheckSquare } from 'lucide-react';
import type { CheckOverlay } from '#fill/kinds/check/schema.ts';
import type { KindView } from '../kind-view.ts';
import { CheckContent } from './check-content.tsx';
import { CheckSection } from './check-section.tsx';

export const checkView: KindView<CheckOverlay> = {
  Icon: CheckSquare,
  Content: CheckContent,
  sections: { check: CheckSection },
  valueTitle: 'Ticked by',
};
