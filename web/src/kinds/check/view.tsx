import { CheckSquare } from 'lucide-react';
import { lazy } from 'react';
import type { CheckOverlay } from '#fill/kinds/check/schema.ts';
import type { KindView } from '../kind-view.ts';
import { CheckContent } from './check-content.tsx';
import { CheckSection } from './check-section.tsx';

const ChoiceSection = lazy(async () => ({ default: (await import('./choice-section.tsx')).ChoiceSection }));

export const checkView: KindView<CheckOverlay> = {
  Icon: CheckSquare,
  Content: CheckContent,
  sections: { choice: ChoiceSection, check: CheckSection },
  valueTitle: 'Ticked by',
};
