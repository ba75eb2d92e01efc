import { describe, expect, it } from 'vitest';
import { matchLabels, normalisedLabel } from './match-labels.ts';

describe('[EDT5] names of columns matched to labels', () => {
  it.each([
    ['First name', 'first_name'],
    ['First name', ' FIRST-NAME '],
    ['First name', 'first . name'],
    ['First name', 'first\u00a0\nname'],
    ['Caf\u00e9', 'cafe\u0301'],
    ['Straße', 'STRASSE'],
    ['Οδος', 'ΟΔΟΣ'],
  ])('%j and %j: are the same name', (label, input) => {
    expect(normalisedLabel(label)).toBe(normalisedLabel(input));
    expect(matchLabels([label], ['other', input])).toEqual({ inputs: [1], ambiguous: [] });
  });

  it.each([
    ['Name', 'Names'],
    ['First name', 'Firstname'],
    ['Cafe', 'Café'],
    ['A/B', 'A B'],
  ])('%j and %j: are two names', (label, input) => {
    expect(matchLabels([label], [input])).toEqual({ inputs: [null], ambiguous: [] });
  });

  it('an equal name beside a similar one: takes the equal one', () => {
    expect(matchLabels(['Name'], ['name', 'Name', 'NAME'])).toEqual({ inputs: [1], ambiguous: [] });
    expect(matchLabels(['name', 'Name'], ['Name', 'name'])).toEqual({ inputs: [1, 0], ambiguous: [] });
    // The only input is the other label's own; it does not serve two.
    expect(matchLabels(['name', 'Name'], ['Name'])).toEqual({ inputs: [null, 0], ambiguous: [] });
  });

  it('two inputs for one label, or one name on two labels: matches neither and says so', () => {
    expect(matchLabels(['Town', 'Name'], ['name', 'NAME', 'Town'])).toEqual({
      inputs: [2, null],
      ambiguous: [1],
    });
    expect(matchLabels(['Name'], ['Name', 'Name'])).toEqual({ inputs: [null], ambiguous: [0] });
    expect(matchLabels(['Name', 'name'], ['NAME'])).toEqual({ inputs: [null, null], ambiguous: [0, 1] });
    expect(matchLabels(['Name', 'Name'], ['Name'])).toEqual({ inputs: [null, null], ambiguous: [0, 1] });
  });

  it('a label or a header without a name: matches nothing', () => {
    expect(matchLabels(['', ' ', '_'], ['', ' ', '_'])).toEqual({
      inputs: [null, null, null],
      ambiguous: [],
    });
  });

  it('ten thousand labels in reverse: are matched one by one', () => {
    const labels = Array.from({ length: 10_000 }, (_, index) => `Column ${index}`);
    const { inputs } = matchLabels(labels, labels.map((label) => label.toUpperCase()).reverse());
    expect(inputs.every((input, index) => input === 9_999 - index)).toBe(true);
  });
});
