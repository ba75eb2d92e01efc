import type { Overlay } from '../kinds/overlay-schema.ts';
import type { ColumnReadings } from '../values/column-readings.ts';
import type { Pictures } from './images/place-picture.ts';
import type { TextFaces } from './text/text-faces.ts';

/** What the overlays of one layout are compiled with. */
export interface DrawTools {
  readonly faces: TextFaces;
  readonly pictures: Pictures;
  readonly readings: ColumnReadings;
  /** Pages of the PDF. */
  readonly pageCount: number;
  /** All overlays of the run, for kinds that depend on each other. */
  readonly overlays: readonly Overlay[];
}
