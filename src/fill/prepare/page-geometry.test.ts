import { describe, expect, it } from 'vitest';
import { displayedPage, pageGeometry, slotMatrix } from './page-geometry.ts';

const numbers = (matrix: string) => matrix.slice(1, -1).split(' ').map(Number);

/** Maps slot space (displayed points from the bottom-left) to user space. */
function landing(matrix: string, x: number, y: number): [number, number] {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = numbers(matrix);
  return [a * x + c * y + e, b * x + d * y + f];
}

describe('page geometry', () => {
  it('[FILL4] a crop box: only its part inside the media box is visible', () => {
    const geometry = pageGeometry([0, 0, 600, 800], [50, 100, 700, 700], 0, 1);
    expect(geometry.box).toEqual([50, 100, 600, 700]);
    expect(displayedPage(geometry)).toEqual({ width: 550, height: 600 });
    expect(landing(slotMatrix(geometry), 0, 0)).toEqual([50, 100]);
  });

  it('[FILL4] /Rotate: turns the page clockwise', () => {
    // The displayed bottom-left corner and the displayed bottom-right corner, in user space.
    const corners = {
      0: [
        [0, 0],
        [600, 0],
      ],
      90: [
        [600, 0],
        [600, 800],
      ],
      180: [
        [600, 800],
        [0, 800],
      ],
      270: [
        [0, 800],
        [0, 0],
      ],
    } as const;
    for (const rotation of [0, 90, 180, 270] as const) {
      const geometry = pageGeometry([0, 0, 600, 800], null, rotation, 1);
      const { width } = displayedPage(geometry);
      const matrix = slotMatrix(geometry);
      expect([landing(matrix, 0, 0), landing(matrix, width, 0)]).toEqual(corners[rotation]);
    }
    expect(pageGeometry([0, 0, 6, 8], null, -90, 1).rotation).toBe(270);
    expect(pageGeometry([0, 0, 6, 8], null, 450, 1).rotation).toBe(90);
  });

  it('[FILL4] /UserUnit: scales the page', () => {
    const geometry = pageGeometry([0, 0, 100, 200], null, 0, 2);
    expect(displayedPage(geometry)).toEqual({ width: 200, height: 400 });
    expect(landing(slotMatrix(geometry), 200, 400)).toEqual([100, 200]);
  });

  it('an unusable box: a Letter page', () => {
    expect(pageGeometry([0, 0, 0, 0], null, 0, 1).box).toEqual([0, 0, 612, 792]);
    expect(pageGeometry(null, [1, 1, 1, 9], 0, Number.NaN)).toMatchObject({
      box: [0, 0, 612, 792],
      userUnit: 1,
    });
    expect(pageGeometry([600, 800, 0, 0], [900, 900, 950, 950], 0, 1).box).toEqual([0, 0, 600, 800]);
  });
});
