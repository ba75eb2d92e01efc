import type { DecimalSigns } from '../values/decimal-signs.ts';
import type { Pictures } from './images/place-picture.ts';
import type { TextFaces } from './text/text-faces.ts';

/** What the overlays of one layout are compiled with. */
export interface DrawTools {
  readonly faces: TextFaces;
  readonly pictures: Pictures;
  readonly signs: DecimalSigns | undefined;
}
