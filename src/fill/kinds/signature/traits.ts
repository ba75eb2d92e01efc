import { PICTURE_DEFAULTS } from '../default-looks.ts';
import type { KindTraits, Unplaced } from '../overlay-kind.ts';
import type { SignatureOverlay } from './schema.ts';

const defaults: Unplaced<SignatureOverlay> = {
  type: 'signature',
  width: 160,
  height: 48,
  rotation: 0,
  opacity: 1,
  value: { static: 'Signature' },
  ...PICTURE_DEFAULTS,
};

export const signatureTraits = { isPicture: true, isReadable: true, defaults } as const satisfies KindTraits;
