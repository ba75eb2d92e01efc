import { describe, expect, it } from 'vitest';
import { contentBalance } from './content-balance.ts';

const of = (content: string) => contentBalance(new TextEncoder().encode(content));

describe('content balance', () => {
  it('[FILL43] graphics state that a page leaves on the stack: restored', () => {
    expect(of('q 1 0 0 1 0 0 cm Q')).toMatchObject({ before: 1, after: 1, openText: false });
    expect(of('q q 1 w')).toMatchObject({ before: 1, after: 3, openText: false });
    expect(of('Q Q q')).toMatchObject({ before: 3, after: 2, openText: false });
    expect(of('BT (text) Tj')).toMatchObject({ openText: true });
    expect(of('BT (text) Tj ET')).toMatchObject({ openText: false });
  });

  it('[FILL113] marked content that is left open: counted; an end without a beginning is not', () => {
    expect(of('/P <</MCID 0>> BDC /Span BMC EMC').openMarks).toBe(1);
    expect(of('EMC EMC /P BMC /P /Props BDC').openMarks).toBe(2);
    expect(of('(BDC BMC) Tj /BMC gs % BDC').openMarks).toBe(0);
  });

  it('[FILL43] strings, names, comments and images: not read as operators', () => {
    for (const content of [
      '(q Q \\) q) Tj',
      '((nested q) Q) Tj',
      '<71 51> Tj',
      '/q gs /Q.q Do',
      '% q q q\n1 w',
      '[(q) 12 (Q)] TJ',
      'BI /W 1 /H 1 ID \x01q Q q\x80 EI 1 w',
      'qq QQ q1',
    ]) {
      expect(of(content), content).toMatchObject({ before: 1, after: 1, openText: false });
    }
  });

  it('content that ends in the middle of a token: read without an error', () => {
    for (const content of ['(never closed q', '<71', 'BI /W 1 ID abc', '%', '/', 'q']) {
      expect(of(content).before, content).toBe(1);
    }
  });
});
