import { TYPESET_DEFAULTS } from '../default-looks.ts';
import type { KindTraits, Unplaced } from '../overlay-kind.ts';
import type { TextOverlay } from './schema.ts';

const defaults: Unplaced<TextOverlay> = {
  type: 'text',
  width: 180,
  height: 24,
  rotation: 0,
  opacity: 1,
  value: { static: 'Text' },
  ...TYPESET_DEFAULTS,
  // Lines break before the type gets smaller, so that an address in a tall box stays readable.
  wrap: true,
};

export const textTraits = { isText: true, isReadable: true, defaults } as const satisfies KindTraits;
