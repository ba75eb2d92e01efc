import type { CheckOverlay } from '#fill/kinds/check/schema.ts';
import { checkTraits } from '#fill/kinds/check/traits.ts';
import type { KindTool } from '../kind-tool.ts';

export const checkTool: KindTool<CheckOverlay> = {
  name: 'Check mark',
  badge: 'CH',
  key: 'C',
  traits: checkTraits,
};
