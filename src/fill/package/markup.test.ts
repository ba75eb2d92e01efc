import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseMarkup } from './markup.ts';

/** Each part as `biu#color:text`. */
const read = (template: string) =>
  parseMarkup({ template }).parts.map((part) => {
    const { bold, italic, underline, color = '' } = part.style;
    const marks = `${bold ? 'b' : ''}${italic ? 'i' : ''}${underline ? 'u' : ''}${color}`;
    return `${marks}:${'text' in part ? part.text : part.column}`;
  });
const textOf = (value: string) =>
  parseMarkup({ static: value })
    .parts.map((part) => ('text' in part ? part.text : ''))
    .join('');

describe('markup', () => {
  it('[FILL290] marks: bold, italic, underlined, coloured, and combined', () => {
    expect(read('a **b** *c* __d__ [e](#c00) f')).toEqual([
      ...[':a ', 'b:b', ': ', 'i:c', ': ', 'u:d', ': ', '#c00:e', ': f'],
    ]);
    expect(read('***a** b* [x **y [z](#00ff00)**](#f00)')).toEqual([
      ...['bi:a', 'i: b', ': ', '#f00:x ', 'b#f00:y ', 'b#00ff00:z'],
    ]);
    expect(read('no marks: a_b (c) 2 # {x}')).toEqual([':no marks: a_b (c) 2 # {x}']);
  });

  it('[FILL290] a backslash before a mark, and brackets without a colour: ordinary text', () => {
    expect(textOf('\\*\\*a\\_\\_ \\[b\\] \\\\ c\\d')).toBe('**a__ [b] \\ c\\d');
    expect(read('see [1] and [2](#f00)')).toEqual([...[':see ', ':[', ':1', ':]', ': and ', '#f00:2']]);
  });

  it('[FILL291] a placeholder: has the style around it and is a part of its own', () => {
    expect(read('Dear **{{column_0}}**, [{{column_1}}](#00f)')).toEqual([
      ...[':Dear ', 'b:column_0', ':, ', '#00f:column_1'],
    ]);
    const column = parseMarkup({ column: 'column_3' });
    expect(column).toMatchObject({ problem: undefined, parts: [{ column: 'column_3' }] });
  });

  it('[FILL292] a mark without its counterpart: ordinary text, and a problem that names it', () => {
    for (const [text, problem] of [
      ['**a', '** is not closed; write \\*\\* for the characters'],
      ['*a* *b', '* is not closed'],
      ['__a', '__ is not closed'],
      ['[a', 'a bracket has no counterpart'],
      ['a]', 'a bracket has no counterpart'],
      ['a](#123)', 'a bracket has no counterpart'],
    ] as const) {
      expect(parseMarkup({ static: text }).problem).toContain(problem);
      expect(textOf(text)).toBe(text.replace('*a* ', 'a '));
    }
    expect(parseMarkup({ static: '**a** [b] [c](#12)' }).problem).toBeUndefined();
  });

  it('[FILL290] any text without marks: stays as it is', () => {
    const harmless = fc.string({ unit: fc.constantFrom('a', ' ', '(', ')', '#', '_x', 'é', '😀', '\n') });
    fc.assert(
      fc.property(harmless, (text) => {
        expect(textOf(text)).toBe(text);
      }),
    );
  });
});
