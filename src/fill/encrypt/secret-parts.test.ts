import { describe, expect, it } from 'vitest';
import { secretParts } from './secret-parts.ts';

const bytes = (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0));
const split = (text: string) =>
  secretParts(bytes(text)).map((part) => [part.kind, Buffer.from(part.bytes).toString('latin1')]);

describe('the parts of an object', () => {
  it('[FILL250] strings of both forms: separated from the syntax, with their escapes resolved', () => {
    expect(split('<</A<414>/B(a\\(b(c)\\101\\n\\\r\nd)/C[<<>>()]>>')).toEqual([
      ['syntax', '<</A'],
      ['string', 'A@'],
      ['syntax', '/B'],
      ['string', 'a(b(c)A\nd'],
      ['syntax', '/C[<<>>'],
      ['string', ''],
      ['syntax', ']>>'],
    ]);
  });

  it('[FILL250] a stream: its data, and the length of its ciphertext', () => {
    expect(
      split('<</D<</Length 3>>/Length1 9/T<61>/Length 16>>\nstream\n<(0123456789abc>\nendstream'),
    ).toEqual([
      ['syntax', '<</D<</Length 3>>/Length1 9/T'],
      ['string', 'a'],
      ['syntax', '/Length '],
      ['syntax', '48'],
      ['syntax', '>>\nstream\n'],
      ['stream', '<(0123456789abc>'],
      ['syntax', '\nendstream'],
    ]);
  });

  it('[FILL250] a stream with the identity crypt filter: stays plain, unlike the strings of its dictionary', () => {
    const stream = '/Filter[/Crypt]/Length 3>>\nstream\n(a)\nendstream';
    expect(split(`<</T<61>${stream}`)).toEqual([
      ['syntax', '<</T'],
      ['string', 'a'],
      ['syntax', stream],
    ]);
  });
});
