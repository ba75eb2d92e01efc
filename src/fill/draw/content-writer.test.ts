import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pdfNumber } from '../write/pdf-number.ts';
import { ContentWriter } from './content-writer.ts';

function written(write: (writer: ContentWriter) => void): string {
  const writer = new ContentWriter();
  write(writer);
  return new TextDecoder('latin1').decode(writer.bytes.subarray(0, writer.length));
}

describe('ContentWriter', () => {
  it('[FILL77] coordinates: printed like pdfNumber', () => {
    fc.assert(
      fc.property(fc.double({ min: -1e6, max: 1e6, noNaN: true }), (value) => {
        expect(written((writer) => writer.num(value))).toBe(`${pdfNumber(value)} `);
      }),
    );
    expect(written((writer) => writer.num(-0.0001))).toBe('0 ');
    expect(written((writer) => writer.num(12.5))).toBe('12.5 ');
    expect(written((writer) => writer.num(-0.05))).toBe('-.05 ');
  });

  it('[FILL77] scales and rotations: printed with five digits', () => {
    expect(written((writer) => writer.factor(2.727272727))).toBe('2.72727 ');
    expect(written((writer) => writer.factor(-1))).toBe('-1 ');
    expect(written((writer) => writer.factor(0.5))).toBe('.5 ');
  });

  it('whole numbers inside and beyond the table: printed exactly', () => {
    for (const value of [0, 7, 10, 99, 100, 999, 1000, 12_345]) {
      expect(written((writer) => writer.int(value))).toBe(`${value} `);
    }
  });

  it('content beyond the initial size: the buffer grows and keeps its content', () => {
    const text = 'x'.repeat(40_000);
    expect(
      written((writer) => {
        writer.ascii('abc');
        writer.ascii(text);
        writer.raw(new Uint8Array([0x21]));
      }),
    ).toBe(`abc${text}!`);
  });
});
