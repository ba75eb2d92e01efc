/**
 * The rotation and mirroring that show a stored picture upright: EXIF tag 0x0112 (CIPA DC-008 §4.6.4), 1 to 8. Cameras
 * store the sensor's rows unchanged and record how the camera was held; 5 to 8 swap width and height.
 */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

export const swapsSides = (orientation: Orientation): boolean => orientation >= 5;

/**
 * PDF matrices (`a b c d e f`) that map the unit square of an image XObject to the displayed unit square. In PDF the
 * first stored row is at the top (y = 1) and the first column at the left (x = 0).
 */
export const ORIENTATION_MATRICES: Readonly<
  Record<Orientation, readonly [number, number, number, number, number, number]>
> = {
  1: [1, 0, 0, 1, 0, 0],
  2: [-1, 0, 0, 1, 1, 0],
  3: [-1, 0, 0, -1, 1, 1],
  4: [1, 0, 0, -1, 0, 1],
  5: [0, -1, -1, 0, 1, 1],
  6: [0, -1, 1, 0, 0, 1],
  7: [0, 1, 1, 0, 0, 0],
  8: [0, 1, -1, 0, 1, 0],
};

const TAG = 0x0112;
const SHORT = 3;
const ENTRY_BYTES = 12;

/** Reads the orientation from EXIF data, which is a TIFF file. Returns 1 for unreadable data, as viewers do. */
export function orientationOf(tiff: Uint8Array): Orientation {
  if (tiff.length < 8) return 1;
  const view = new DataView(tiff.buffer, tiff.byteOffset, tiff.byteLength);
  const little = view.getUint16(0) === 0x4949;
  if ((!little && view.getUint16(0) !== 0x4d4d) || view.getUint16(2, little) !== 42) return 1;
  const directory = view.getUint32(4, little);
  if (directory + 2 > tiff.length) return 1;
  const entries = view.getUint16(directory, little);
  for (let index = 0; index < entries; index += 1) {
    const at = directory + 2 + index * ENTRY_BYTES;
    if (at + ENTRY_BYTES > tiff.length) return 1;
    if (view.getUint16(at, little) !== TAG) continue;
    const value = view.getUint16(at + 8, little);
    const known = view.getUint16(at + 2, little) === SHORT && value >= 1 && value <= 8;
    return known ? (value as Orientation) : 1;
  }
  return 1;
}
