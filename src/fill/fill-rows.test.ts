import { beforeAll, describe, expect, it } from 'vitest';
import { cellsOf } from '../../test/support/drawn-row-pdf.ts';
import { pagesPdf } from '../../test/support/page-sources.ts';
import { type PreparedFill, prepareForTest } from '../../test/support/prepared.ts';
import { quartersJpeg } from '../../test/support/small-jpeg.ts';
import { AssetsUnavailable, jobAssetsOf } from './draw/images/job-assets.ts';
import { fillPieces } from './fill-rows.ts';
import { ByteSink } from './write/byte-sink.ts';

const overlays = [
  {
    id: 'p',
    type: 'image' as const,
    page: 1,
    x: 72,
    y: 72,
    width: 100,
    height: 100,
    value: { column: 'column_0' },
  },
];
const photo = Uint8Array.from([...quartersJpeg, ...new Uint8Array(50_000)]);
const jobAssets = jobAssetsOf(new Map([['photo.jpg', photo]]));
const rows = Array.from({ length: 25 }, (_, index) => cellsOf(index % 5 === 4 ? '' : 'photo.jpg'));
const PIECE_BYTES = 200_000;

describe('pieces of filled rows', () => {
  let fill: PreparedFill;
  beforeAll(async () => {
    fill = await prepareForTest(pagesPdf([{}]), { overlays }, {}, { jobAssets });
  });

  it('[FILL144] rows with large pictures: returned in pieces of bounded size', () => {
    const pieces = [...fillPieces(fill.filler, 11, rows, new ByteSink(), PIECE_BYTES)];
    expect(pieces.length).toBeGreaterThan(4);
    for (const { tails } of pieces) expect(tails.length).toBeLessThan(PIECE_BYTES + 60_000);
    expect(pieces.flatMap(({ records }) => records.map(({ result }) => result.row_number))).toEqual(
      rows.map((_, index) => 11 + index),
    );
    const alone = rows.map((cells, index) => fill.filler.fill(11 + index, cells).tail ?? new Uint8Array());
    expect(Buffer.concat(pieces.map(({ tails }) => tails)).equals(Buffer.concat(alone))).toBe(true);
  });

  it('[FILL144] two slices filled alternately with one buffer: do not mix', () => {
    const scratch = new ByteSink();
    const [first, second] = [0, 100].map((firstRow) =>
      fillPieces(fill.filler, firstRow, rows, scratch, PIECE_BYTES),
    );
    const joined: Uint8Array[][] = [[], []];
    for (let open = 2; open > 0; ) {
      open = 0;
      for (const [index, stretch] of [first, second].entries()) {
        const piece = stretch?.next();
        if (piece === undefined || piece.done === true) continue;
        open += 1;
        joined[index]?.push(piece.value.tails);
      }
    }
    const expected = Buffer.concat([...fillPieces(fill.filler, 0, rows)].map(({ tails }) => tails));
    for (const tails of joined) expect(Buffer.concat(tails).equals(expected)).toBe(true);
  });

  it('[FILL144] unreadable pictures of the job: abort the work instead of failing the row', async () => {
    const unreadable = {
      has: () => true,
      read: () => {
        throw new AssetsUnavailable('the file is gone');
      },
    };
    const { filler } = await prepareForTest(pagesPdf([{}]), { overlays }, {}, { jobAssets: unreadable });
    expect(() => filler.fill(1, cellsOf('photo.jpg'))).toThrow(AssetsUnavailable);
  });
});
