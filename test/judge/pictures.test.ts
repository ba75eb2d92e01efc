import { afterAll, describe, expect, it } from 'vitest';
import { drawingBench } from '../support/drawn-row-pdf.ts';
import { JudgeRoom, missingJudges } from '../support/judges.ts';
import { darkness, RENDERERS } from '../support/renderings.ts';
import { quartersJpeg, turnedJpeg } from '../support/small-jpeg.ts';

const missing = missingJudges('qpdf', 'pdftoppm', 'mutool');
if (missing.length > 0) console.log(`judges of pictures skipped: ${missing.join(', ')} not installed`);

const DPI = 72;
const overlay = {
  id: 'p',
  type: 'image' as const,
  page: 1,
  x: 100,
  y: 100,
  width: 80,
  height: 80,
  fit: 'stretch' as const,
  value: { column: 'column_0' },
};

/** Displayed greys from left to right and top to bottom, by CIPA DC-008 §4.6.4; the file stores 20 100 / 180 250. */
const UPRIGHT = [
  [1, [20, 100, 180, 250]],
  [2, [100, 20, 250, 180]],
  [3, [250, 180, 100, 20]],
  [4, [180, 250, 20, 100]],
  [5, [20, 180, 100, 250]],
  [6, [180, 20, 250, 100]],
  [7, [250, 100, 180, 20]],
  [8, [100, 250, 20, 180]],
] as const;

describe.skipIf(missing.length > 0)('pictures in other readers', () => {
  const room = new JudgeRoom();
  afterAll(() => room.close());

  it.each(UPRIGHT)(
    '[FILL141] orientation %i: every renderer shows the picture upright',
    async (orientation, greys) => {
      const bench = await drawingBench([overlay]);
      const picture = turnedJpeg(quartersJpeg, orientation);
      room.put('turned.pdf', bench.pdf(Buffer.from(picture).toString('base64')));
      expect(room.run('qpdf', '--check', 'turned.pdf')).toContain('No syntax or stream encoding errors');
      for (const [name, render] of Object.entries(RENDERERS)) {
        const page = await render(room, 'turned.pdf', DPI);
        const seen = [0, 1, 2, 3].map((quarter) => {
          const area = { x: 110 + 40 * (quarter % 2), y: 110 + 40 * (quarter >> 1), width: 20, height: 20 };
          return 255 * (1 - darkness(page, area, DPI));
        });
        greys.forEach((grey, quarter) => {
          expect(Math.abs((seen[quarter] ?? 0) - grey), `${name}, quarter ${quarter}`).toBeLessThan(12);
        });
      }
    },
  );
});
