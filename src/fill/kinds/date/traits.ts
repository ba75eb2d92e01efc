import { TYPESET_DEFAULTS } from '../default-looks.ts';
import type { KindTraits, Unplaced } from '../overlay-kind.ts';
import type { DateOverlay } from './schema.ts';

const defaults: Unplaced<DateOverlay> = {
  type: 'date',
  width: 120,
  height: 24,
  rotation: 0,
  opacity: 1,
  value: { static: '2026-01-31' },
  format: { date: 'D MMMM YYYY' },
  ...TYPESET_DEFAULTS,
};

export const dateTraits = { isText: true, isReadable: true, defaults } as const satisfies KindTraits;
