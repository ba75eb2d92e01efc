import { describe, expect, it } from 'vitest';
import { cellsOf } from '../../../test/support/drawn-row-pdf.ts';
import { pagesPdf } from '../../../test/support/page-sources.ts';
import { prepareForTest } from '../../../test/support/prepared.ts';
import { ByteSink } from '../write/byte-sink.ts';
import { FragmentPlaces, MergedTooLarge, placedBytes } from './place-fragment.ts';
import { MAX_OBJECT_NUMBER } from './row-fragment.ts';

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');

async function filled() {
  const { filler, base } = await prepareForTest(pagesPdf([{}, {}]), {
    overlays: [
      { id: 'a', type: 'text', page: 1, x: 72, y: 72, width: 99, height: 20, value: { column: 'column_0' } },
    ],
  });
  const fragmentOf = (row: number, value: string) => {
    const sink = new ByteSink();
    const { fragment } = filler.fillInto(sink, row, cellsOf(value), 'merged');
    if (fragment === undefined) throw new Error('the row failed');
    return { fragment, bytes: sink.copy() };
  };
  return { fragmentOf, base };
}

describe('a fragment', () => {
  it('[FILL240] the same row at another place: the same bytes and other numbers', async () => {
    const { fragmentOf, base } = await filled();
    const { size } = base.facts;
    const { fragment, bytes } = fragmentOf(1, 'Ωμέγα');
    const again = fragmentOf(1, 'Ωμέγα');
    expect(again).toEqual({ fragment, bytes });
    const placed = [size, 1_000_000].map((first) =>
      text(placedBytes(bytes, fragment, new FragmentPlaces(first).place(1, fragment))),
    );
    const numbersOf = (pdf: string) =>
      [...pdf.matchAll(/(?<![\w.])(\d+) 0 (?:obj|R)/g)]
        .map(([, num]) => Number(num))
        .filter((num) => num >= size);
    const [near = [], far = []] = placed.map(numbersOf);
    expect(near.length).toBeGreaterThan(10);
    expect(far).toEqual(near.map((num) => num - size + 1_000_000));
    expect(placed[0]?.length).toBe(placed[1]?.length);
  });

  it('[FILL115] an object beyond the number that readers accept: rejected', async () => {
    const { fragmentOf } = await filled();
    const { fragment } = fragmentOf(1, 'x');
    const count = fragment.objects.length;
    new FragmentPlaces(MAX_OBJECT_NUMBER - count).place(1, fragment);
    expect(() => new FragmentPlaces(MAX_OBJECT_NUMBER - count + 1).place(1, fragment)).toThrow(
      MergedTooLarge,
    );
  });
});
