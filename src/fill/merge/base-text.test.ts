import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeName } from '../write/pdf-name.ts';
import { dictionaryOf, entriesOf, itemsOf, referenceOf } from './base-text.ts';

/** An arbitrary value in the form of our writer. */
const { value } = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom('null', 'true', '-0.5', '0', '12 0 R', '<>', '<656e>'),
    fc.string().map(escapeName),
    fc.array(tie('value')).map((items) => `[${items.join(' ')}]`),
    fc.array(fc.tuple(fc.string().map(escapeName), tie('value'))).map(dictionaryOf),
  ),
}));

describe('the text of a base', () => {
  it('values at any depth: split into their members', () => {
    fc.assert(
      fc.property(fc.array(value), (items) => {
        expect(itemsOf(`[${items.join(' ')}]`)).toEqual(items);
      }),
    );
    fc.assert(
      fc.property(fc.dictionary(fc.string().map(escapeName), value), (entries) => {
        expect(entriesOf(dictionaryOf(Object.entries(entries)))).toEqual(new Map(Object.entries(entries)));
      }),
    );
  });

  it('text of another kind, or without an end: null', () => {
    expect(itemsOf('<</A [1]>>')).toBeNull();
    expect(itemsOf('[[1]')).toBeNull();
    expect(entriesOf('[1]')).toBeNull();
    expect(entriesOf('<656e>')).toBeNull();
    expect(entriesOf('<</A 1')).toBeNull();
  });

  it('a stream: the entries of its dictionary', () => {
    expect(entriesOf('<</Length 3>>\nstream\n>><\nendstream')).toEqual(new Map([['/Length', '3']]));
  });

  it('adjacent references and numbers: separate items', () => {
    expect(itemsOf('[0 12 0 R 0 0 3 0 R]')).toEqual(['0', '12 0 R', '0', '0', '3 0 R']);
    expect([referenceOf('12 0 R'), referenceOf('12'), referenceOf('[12 0 R]')]).toEqual([12, null, null]);
  });
});
