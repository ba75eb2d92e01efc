import fc from 'fast-check';
import { encodeQR } from 'qr';
import { describe, expect, it } from 'vitest';
import { blocksOf, LARGEST_VERSION, LEVELS, type QrLevel, sizeOf } from './qr-capacity.ts';
import { qrSymbol } from './qr-symbol.ts';

const JUDGE_LEVELS = { L: 'low', M: 'medium', Q: 'quartile', H: 'high' } as const;

/** The library's symbol, one line of text for each line of modules; undefined if the text does not fit. */
function judged(text: string, level: QrLevel): string[] | undefined {
  let matrix: boolean[][];
  try {
    matrix = encodeQR(text, 'raw', { ecc: JUDGE_LEVELS[level], border: 1 });
  } catch (error) {
    expect(error).toMatchObject({ message: 'Capacity overflow' });
    return undefined;
  }
  return matrix.slice(1, -1).map((line) => drawn(line.slice(1, -1)));
}

function ours(text: string, level: QrLevel): string[] | undefined {
  const symbol = qrSymbol(text, level);
  if (symbol === undefined) return undefined;
  const { size } = symbol.template;
  const along = Array.from({ length: size }, (_, index) => index);
  return along.map((y) => drawn(along.map((x) => symbol.modules.has(x, y))));
}

function drawn(line: readonly boolean[]): string {
  return line.map((dark) => (dark ? '█' : ' ')).join('');
}

/** Text that needs byte mode and does not repeat. */
function bytesOf(length: number): string {
  return Array.from({ length }, (_, index) =>
    String.fromCharCode(97 + ((index * index + 7 * index) % 26)),
  ).join('');
}

describe('QR symbols', () => {
  it.each(LEVELS)(
    '[FILL68] level %s, every version, full and one character too long: the same modules as the reference library',
    (level) => {
      for (let version = 1; version <= LARGEST_VERSION; version += 1) {
        const most = blocksOf(version, level).dataCodewords - (version < 10 ? 2 : 3);
        const full = bytesOf(most);
        const symbol = ours(full, level);
        expect(symbol).toHaveLength(sizeOf(version));
        expect(symbol).toEqual(judged(full, level));
        expect(ours(`${full}x`, level)?.length).toBe(
          version < LARGEST_VERSION ? sizeOf(version + 1) : undefined,
        );
      }
    },
  );

  it('[FILL68] any text: the same modules as the reference library', () => {
    const level = fc.constantFrom(...LEVELS);
    const text = fc.oneof(
      fc.stringMatching(/^[0-9]{1,400}$/),
      fc.stringMatching(/^[0-9A-Z $%*+\-./:]{1,300}$/),
      fc.string({ unit: 'binary-ascii', minLength: 1, maxLength: 300 }),
      // Including lone surrogates.
      fc.string({
        unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
        minLength: 1,
      }),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 100 }),
    );
    fc.assert(
      fc.property(text, level, (value, ecc) => {
        expect(ours(value, ecc)).toEqual(judged(value, ecc));
      }),
      { numRuns: 400 },
    );
  });

  it.each([
    ['7', 7089],
    ['A', 4296],
    ['a', 2953],
    ['é', 1476],
    ['漢', 984],
  ])('[FILL68] the capacity for %s: %i, as in the standard', (character, most) => {
    expect(ours(character.repeat(most), 'L')).toEqual(judged(character.repeat(most), 'L'));
    expect(ours(character.repeat(most + 1), 'L')).toBeUndefined();
    expect(ours(character.repeat(100_000), 'L')).toBeUndefined();
  });
});
