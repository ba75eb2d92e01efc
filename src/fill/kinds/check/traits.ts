import type { KindTraits, Unplaced } from '../overlay-kind.ts';
import type { CheckOverlay } from './schema.ts';

const defaults: Unplaced<CheckOverlay> = {
  type: 'check',
  width: 16,
  height: 16,
  rotation: 0,
  opacity: 1,
  value: { static: 'yes' },
  mark: 'check',
  color: '#000000',
};

export const checkTraits = { defaults } as const satisfies KindTraits;
