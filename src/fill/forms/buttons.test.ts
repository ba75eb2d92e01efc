import { describe, expect, it } from 'vitest';
import { type ButtonField, choiceForm, RADIO, RADIO_IN_UNISON } from '../../../test/support/choice-form.ts';
import { cellsOf } from '../../../test/support/drawn-row-pdf.ts';
import { prepareForTest } from '../../../test/support/prepared.ts';

/** Returns the result of a value: the states of the field's buttons and the stored value, or the code of the warning. */
async function filler(field: Omit<ButtonField, 'name'>) {
  const fill = await prepareForTest(choiceForm([{ name: 'f', ...field }]), {
    form_fields: [{ id: 'id-f', field: 'f', value: { column: 'column_0' } }],
  });
  const options = fill.base.facts.source.form_fields[0]?.options?.map(({ value }) => value);
  return {
    options,
    value(text: string): string {
      const { result, tail } = fill.filler.fill(1, cellsOf(text));
      if (result.warnings.length > 0) {
        expect(result.skipped_overlay_count).toBe(1);
        expect(Buffer.from(tail ?? []).toString('latin1')).not.toMatch(/\/V\b/);
        return result.warnings.map(({ code }) => code).join(' ');
      }
      expect(result).toMatchObject({ applied_overlay_count: 1, skipped_overlay_count: 0 });
      const written = Buffer.from(tail ?? []).toString('latin1');
      const states = [...written.matchAll(/\/AS\/([^/>\s]+)/g)].map((match) => match[1]);
      return `${states.join(' ')} V=${/\/V\/([^/>\s]+)/.exec(written)?.[1]}`;
    },
  };
}

describe('native checkboxes', () => {
  it.each([
    [['Yes', 'No'], 'yes', 'Yes Off V=Yes'],
    [['Yes', 'No'], 'no', 'Off No V=No'],
    [['Yes', 'No'], ' NO ', 'Off No V=No'],
    [['No', 'Yes'], 'yes', 'Off Yes V=Yes'],
    [['No', 'Yes'], 'No', 'No Off V=No'],
    [['No', 'Yes'], '', 'Off Off V=Off'],
    [['N', 'Y'], 'n', 'N Off V=N'],
    [['N', 'Y'], 'Y', 'Off Y V=Y'],
    [['N', 'Y'], 'y', 'Off Y V=Y'],
    [['N', 'Y'], 'no', 'OPTION_UNKNOWN'],
    [['N', 'Y'], '0', 'OPTION_UNKNOWN'],
    [['N', 'Y'], 'true', 'OPTION_UNKNOWN'],
    [['Yes', 'No'], 'n', 'OPTION_UNKNOWN'],
    [['Yes', 'No'], 'off', 'OPTION_UNKNOWN'],
    [['M', 'F', 'X'], 'x', 'Off Off X V=X'],
    [['M', 'F', 'X'], 'f', 'Off F Off V=F'],
    [['M', 'F', 'X'], 'yes', 'OPTION_UNKNOWN'],
    [['1', '0'], '0', 'Off 0 V=0'],
    [['On', 'off'], 'off', 'Off off V=off'],
  ])('[FILL15] several on-states %j, value %j: %s', async (states, text, outcome) => {
    expect((await filler({ states })).value(text)).toBe(outcome);
  });

  it.each([
    ['No', 'No', 'No V=No'],
    ['No', 'no', 'No V=No'],
    ['No', 'n', 'Off V=Off'],
    ['No', 'yes', 'No V=No'],
    ['No', '', 'Off V=Off'],
    ['N', 'n', 'N V=N'],
    ['N', 'no', 'Off V=Off'],
    ['0', '0', '0 V=0'],
    ['0', 'false', 'Off V=Off'],
    ['off-site', 'OFF-SITE ', 'off-site V=off-site'],
    ['off-site', 'off', 'Off V=Off'],
    ['off-site', 'on', 'off-site V=off-site'],
    ['Accepted', 'accepted', 'Accepted V=Accepted'],
    ['Accepted', 'perhaps', 'OPTION_UNKNOWN'],
  ])('[FILL15] one on-state %j, value %j: %s', async (state, text, outcome) => {
    expect((await filler({ states: [state] })).value(text)).toBe(outcome);
  });

  it('[FILL100] boxes with the same on-state: switch together and accept tick words', async () => {
    const boxes = await filler({ states: ['Ja', 'Ja', null] });
    expect(boxes.options).toEqual(['Ja']);
    expect(boxes.value('yes')).toBe('Ja Ja Ja V=Ja');
    expect(boxes.value('no')).toBe('Off Off Off V=Off');
    const pairs = await filler({ states: ['Yes', 'No', 'Yes', 'No'] });
    expect(pairs.options).toEqual(['Yes', 'No']);
    expect(pairs.value('no')).toBe('Off No Off No V=No');
  });

  it('[FILL100] export values in /Opt: replace the names of the states as choices', async () => {
    const pair = await filler({ states: ['0', '1'], opt: '(Yes)(No)' });
    expect(pair.options).toEqual(['Yes', 'No']);
    expect(pair.value('no')).toBe('Off 1 V=1');
    expect(pair.value('0')).toBe('OPTION_UNKNOWN');
    const single = await filler({ states: ['0'], opt: '(Oui)' });
    expect(single.value('oui')).toBe('0 V=0');
    expect(single.value('0')).toBe('Off V=Off');
    const labelled = await filler({ states: ['0', '1'], opt: '[(a)(First)][(b)(Second)]' });
    expect(labelled.value('second')).toBe('Off 1 V=1');
    expect((await filler({ states: ['0', '1'], opt: '(Yes)(Yes)' })).options).toEqual(['Yes', 'Yes#2']);
  });
});

describe('native radio groups', () => {
  it('[FILL101] buttons with the same export value: each is a separate choice', async () => {
    const group = await filler({ states: ['0', '1', '2'], flags: RADIO, opt: '(Yes)(Yes)(Yes)' });
    expect(group.options).toEqual(['Yes', 'Yes#2', 'Yes#3']);
    expect(group.value('yes')).toBe('0 Off Off V=0');
    expect(group.value('Yes#2')).toBe('Off 1 Off V=1');
    expect(group.value(' yes#3 ')).toBe('Off Off 2 V=2');
    expect(group.value('Yes#4')).toBe('OPTION_UNKNOWN');
  });

  it('[FILL101] buttons with the same state name: each is a separate choice', async () => {
    const group = await filler({ states: ['A', 'A', 'B'], flags: RADIO });
    expect(group.options).toEqual(['A', 'A#2', 'B']);
    expect(group.value('A#2')).toBe('Off A Off V=A');
  });

  it('[FILL101] an option named Yes#2 in the source: keeps its name', async () => {
    const group = await filler({ states: ['0', '1', '2', '3'], flags: RADIO, opt: '(Yes)(Yes)(yes#2)(Yes)' });
    expect(group.options).toEqual(['Yes', 'Yes#3', 'yes#2', 'Yes#4']);
    expect(group.value('Yes#2')).toBe('Off Off 2 Off V=2');
    expect(group.value('Yes#3')).toBe('Off 1 Off Off V=1');
  });

  it('[FILL101] RadiosInUnison: equal buttons switch together', async () => {
    const group = await filler({
      states: ['0', '1', '2'],
      flags: RADIO_IN_UNISON,
      opt: '(Yes)(No)(Yes)',
    });
    expect(group.options).toEqual(['Yes', 'No']);
    expect(group.value('yes')).toBe('0 Off 2 V=0');
    const named = await filler({ states: ['A', 'B', 'A'], flags: RADIO_IN_UNISON });
    expect(named.value('A')).toBe('A Off A V=A');
  });

  it('[FILL101] buttons without pictures: get unique states', async () => {
    const group = await filler({ states: ['1', null, null], flags: RADIO });
    expect(new Set(group.options).size).toBe(3);
  });
});
